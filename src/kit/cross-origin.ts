/*
 * A server on the loopback interface and pages of other origins (CORS): exact origins, and nothing for anybody else.
 */

type Headers = Readonly<Record<string, string>>;

const METHODS = "GET, POST, DELETE";
/** Seconds for which a browser keeps the answer to its question. */
const KEPT_SECONDS = "600";

/** Headers that let a page of this origin read the reply; none where it may not. */
export function readableBy(origin: string | undefined, allowed: readonly string[]): Headers {
  if (origin === undefined || !allowed.includes(origin)) return {};
  return { "access-control-allow-origin": origin, vary: "origin" };
}

/** The headers for a browser that asks before a call of a page (a preflight); undefined where this is no such question, or comes from an origin that may not call. */
export function preflight(method: string | undefined, origin: string | undefined, allowed: readonly string[]): Headers | undefined {
  const readable = readableBy(origin, allowed);
  if (method !== "OPTIONS" || readable["access-control-allow-origin"] === undefined) return undefined;
  return {
    ...readable,
    "access-control-allow-methods": METHODS,
    "access-control-allow-headers": "content-type",
    "access-control-max-age": KEPT_SECONDS,
  };
}
