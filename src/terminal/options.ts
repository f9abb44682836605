import type { DriverOption } from "./driver.ts";

/** Default values of all options. */
export function usualOptions(declared: readonly DriverOption[]): Readonly<Record<string, string>> {
  return Object.fromEntries(declared.map(({ name, usual }) => [name, usual]));
}

export type OptionsReading =
  | { readonly ok: true; readonly options: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly problem: string };

/**
 * The value of every declared option, given or default. An undeclared name or a forbidden value is a problem that names
 * the fix.
 */
export function readOptions(
  declared: readonly DriverOption[],
  given: Readonly<Record<string, string>>,
): OptionsReading {
  for (const [name, value] of Object.entries(given)) {
    const option = declared.find((one) => one.name === name);
    const known = declared.map((one) => one.name).join(", ");
    if (option === undefined)
      return {
        ok: false,
        problem: `has no option ${name}; ${known === "" ? "it has none at all: remove it" : `it has ${known}`}`,
      };
    if (!new RegExp(`^(?:${option.allowed.source})$`, option.allowed.flags).test(value)) {
      return {
        ok: false,
        problem: `does not take ${JSON.stringify(value)} as option ${name} (${option.meaning}); write for example ${JSON.stringify(option.usual)}`,
      };
    }
  }
  return { ok: true, options: { ...usualOptions(declared), ...given } };
}
