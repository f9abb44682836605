import type { Guard } from "./guard.ts";

export interface Accepted {
  readonly file: string;
  readonly text: string;
  readonly why: string;
}

/** Guards whose deletion no test can notice, each with its reason. */
export const ACCEPTED: readonly Accepted[] = [
  {
    file: "drivers/ingenico-ipp350/sealed.ts",
    text: 'if (!text.includes("=") && !text.includes("^")) return false;',
    why: "Speed alone: what follows needs one of the two, and is slow for a long text of digits.",
  },
  {
    file: "drivers/ingenico-ipp350/sealed.ts",
    text: 'if (typeof form !== "object" || form.as !== "text" || !PARTS.some((part) => object.value.includes(part))) return object;',
    why: "Speed alone: a packed number without these bytes still has digits where a masked one has zeros.",
  },
  {
    file: "drivers/vipa/frame.ts",
    text: "if (chains[name] === undefined) continue;",
    why: "Speed alone: to take out a chain that is not there changes nothing.",
  },
];

export function isAccepted({ file, text }: Guard): boolean {
  return ACCEPTED.some((one) => one.file === file && one.text === text);
}

/** Entries whose guard is gone or has changed. */
export function staleAmong(accepted: readonly Accepted[], guards: readonly Guard[]): readonly Accepted[] {
  return accepted.filter(({ file, text }) => !guards.some((one) => one.file === file && one.text === text));
}
