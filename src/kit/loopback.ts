/**
 * Tells whether a host of a URL or configuration can only mean this machine (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3; RFC
 * 6761, 6.3).
 */
export function isLoopback(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === "::1" ||
    /^127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/.test(name)
  );
}
