/* CORS of a server on loopback: exact origins only. */

type Headers = Readonly<Record<string, string>>;

const METHODS = "GET, POST, DELETE";
/** Seconds for which a browser keeps the answer to a preflight. */
const KEPT_SECONDS = "600";

/** Headers that let a page of this origin read the reply; none for other origins. */
export function readableBy(origin: string | undefined, allowed: readonly string[]): Headers {
  if (origin === undefined || !allowed.includes(origin)) return {};
  return { "access-control-allow-origin": origin, vary: "origin" };
}

/** Headers for a browser's preflight. Undefined: the request is no preflight, or its origin is not allowed. */
export function preflight(
  method: string | undefined,
  origin: string | undefined,
  allowed: readonly string[],
): Headers | undefined {
  const readable = readableBy(origin, allowed);
  if (method !== "OPTIONS" || readable["access-control-allow-origin"] === undefined) return undefined;
  return {
    ...readable,
    "access-control-allow-methods": METHODS,
    "access-control-allow-headers": "content-type",
    "access-control-max-age": KEPT_SECONDS,
  };
}
