import { addressOf, NO_ORIGIN, type Place } from "./texts.ts";

/** Headers and end of an accepted connection. */
interface Arrival {
  readonly origin?: string | undefined;
  readonly host?: string | undefined;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly isSecure: boolean;
}

/**
 * The place of a register as the bridge itself sees it. Without TLS only the connection's own end counts: any program
 * can write a Host header. With TLS the certificate has proved the host.
 */
export function placeOf({ origin = NO_ORIGIN, host, localAddress, localPort, isSecure }: Arrival): Place {
  const seen = isSecure ? `wss://${host ?? ""}` : `ws://${literal(localAddress ?? "")}:${localPort ?? 0}`;
  return { origin, address: addressOf(seen) ?? "" };
}

/** An IPv4-mapped IPv6 address is that of IPv4. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=[0-9.]+$)/i, "");
}

function literal(address: string): string {
  const plain = plainAddress(address);
  return plain.includes(":") ? `[${plain}]` : plain;
}
