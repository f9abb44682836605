/**
 * An address as a merchant sent it, also where it was URL-encoded by hand before the form was (specification, "Asynchronous payments"); null where it is none.
 */
export function sentAddress(text: string): URL | null {
  return URL.parse(text) ?? URL.parse(percentDecoded(text) ?? text);
}

/** Undefined where a percent sign encodes nothing. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
