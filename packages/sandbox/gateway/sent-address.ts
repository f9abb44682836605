/**
 * Parses an address from a merchant, even if URL-encoded twice (specification, "Asynchronous payments"); null: no
 * address.
 */
export function sentAddress(text: string): URL | null {
  return URL.parse(text) ?? URL.parse(percentDecoded(text) ?? text);
}

/** Undefined if a percent sign encodes nothing. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
