import type { Scope } from "../ports.ts";

/** All scopes in display order (contract, section 3). */
export const scopes = [
  "payments",
  "refunds",
  "unlinked-refunds",
  "stored-cards",
  "foreign-bookings",
  "payments:all",
  "technician",
] as const satisfies readonly Scope[];

/** Default scopes of a token. */
export const defaultScopes: readonly Scope[] = ["payments", "refunds"];

const MAX_NAME_CHARACTERS = 64;

/** Letters, digits, marks, punctuation and symbols of any script, with single spaces between them. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+( [\p{L}\p{M}\p{N}\p{P}\p{S}]+)*$/u;

/**
 * A register's name in its stored form (Unicode NFC, so that two ways of typing "Käse" are one register). Undefined:
 * not 1 to 64 printable characters.
 */
export function parseRegisterName(text: string): string | undefined {
  const name = text.normalize("NFC");
  return [...name].length <= MAX_NAME_CHARACTERS && PRINTABLE.test(name) ? name : undefined;
}

/** The valid scopes, each once and in their own order. */
export function knownScopes(texts: readonly string[]): readonly Scope[] {
  return scopes.filter((scope) => texts.includes(scope));
}

/** The named scopes, each once and in their own order; or the first unknown text. */
export function parseScopes(
  texts: readonly string[],
): { readonly scopes: readonly Scope[] } | { readonly unknown: string } {
  const unknown = texts.find((text) => !scopes.some((scope) => scope === text));
  return unknown === undefined ? { scopes: knownScopes(texts) } : { unknown };
}
