/**
 * The other side of a connection, for people: "192.0.2.7:50123", "[2001:db8::7]:50123". An IPv4-mapped IPv6 address is
 * shown as IPv4.
 */
export function peerText({
  remoteAddress,
  remotePort,
}: {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}): string {
  if (remoteAddress === undefined) return "unknown";
  const plain = remoteAddress.replace(/^::ffff:(?=[0-9.]+$)/i, "");
  return `${plain.includes(":") ? `[${plain}]` : plain}${remotePort === undefined ? "" : `:${remotePort}`}`;
}
