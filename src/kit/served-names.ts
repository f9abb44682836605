import { isLoopback } from "./loopback.ts";

/** Host names and addresses of the machine itself. */
export interface MachineNames {
  readonly hostName: string;
  readonly addresses: readonly string[];
}

/** A listening port: its address, and the names configured for it. */
interface Listening {
  readonly host: string;
  readonly names?: readonly string[];
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];
/** As URLs write them. */
const EVERY_IPV4 = "0.0.0.0";
const EVERY = "[::]";

/**
 * Normalizes a host for comparison with a Host header or origin: lower case, ASCII, IPv6 short and in brackets (RFC
 * 9110, 7.2; RFC 3986, 3.2.2). Undefined: not a host, or with scheme, port or wildcard.
 */
export function hostInUrl(text: string): string | undefined {
  const isAddress = text.includes(":");
  const bare = text.replace(/^\[(.*)\]$/, "$1");
  const host = URL.parse(`http://${isAddress ? `[${bare}]` : text}/`)?.host ?? "";
  const isHost = isAddress
    ? /^\[[0-9a-f:]+\]$/.test(host)
    : /^[a-z0-9._-]{1,253}$/.test(host) && !/[/\\?#@\s]/.test(text);
  return isHost ? host : undefined;
}

/** Tells whether the host means every address. Such a host is no name for a request. */
export function isEveryAddress(host: string): boolean {
  const name = hostInUrl(host);
  return name === EVERY_IPV4 || name === EVERY;
}

/**
 * Names by which registers may address the port: loopback, the listening address, and the configured names; without
 * these, the machine's own if other machines can connect.
 */
export function servedNames({ host, names }: Listening, machine: MachineNames): readonly string[] {
  const others = names ?? (isLoopback(host) ? [] : ownNames(host, machine));
  const served = [...(isEveryAddress(host) ? [] : [host]), ...others].flatMap((name) => hostInUrl(name) ?? []);
  return [...new Set([...LOOPBACK, ...served])];
}

/** The machine's name and its addresses that listen. */
function ownNames(host: string, { hostName, addresses }: MachineNames): readonly string[] {
  const listened = hostInUrl(host);
  const isOne =
    listened !== undefined &&
    listened !== EVERY &&
    listened !== EVERY_IPV4 &&
    (listened.startsWith("[") || /^[0-9.]+$/.test(listened));
  const isReached = (address: string): boolean =>
    !isOne && (listened !== EVERY_IPV4 || !address.includes(":")) && !isLinkLocal(address) && !isLoopback(address);
  return [hostName, ...addresses.filter(isReached)];
}

/** A link-local address needs the name of a network card, which no URL can carry (RFC 4291, 2.5.6; RFC 6874). */
function isLinkLocal(address: string): boolean {
  return /^fe[89ab][0-9a-f]:/i.test(address);
}
