import { isLoopback } from "../kit/loopback.ts";

/**
 * The gateway's base address as a URL. The specification asks for TLS and a closing slash; plain http is safe only on
 * loopback. Throws a RangeError worded for the owner of the configuration.
 */
export function gatewayBase(baseUrl: string): URL {
  const url = URL.parse(baseUrl);
  if (url === null)
    throw new RangeError("gateway.baseUrl is not an address; write for example https://gateway.example/");
  if (!isSafe(url)) throw new RangeError("gateway.baseUrl must be https, or http on this machine alone");
  if (url.username !== "" || url.password !== "")
    throw new RangeError("gateway.baseUrl must not hold a user name or password; the token has a file of its own");
  if (url.search !== "" || url.hash !== "") throw new RangeError("gateway.baseUrl must not have a query or fragment");
  if (!baseUrl.endsWith("/")) throw new RangeError("gateway.baseUrl must end with a slash");
  return url;
}

function isSafe(url: URL): boolean {
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}
