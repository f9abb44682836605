import { isLoopback } from "./loopback.ts";

/** Host names and addresses of the machine itself. */
export interface MachineNames {
  readonly hostName: string;
  readonly addresses: readonly string[];
}

/** A port that is listened on: the address, and the names that were configured for it. */
interface Listening {
  readonly host: string;
  readonly names?: readonly string[];
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];
/** As URLs write them. */
const EVERY_IPV4 = "0.0.0.0";
const EVERY = "[::]";

/**
 * A host name or address as it stands in a Host header or an origin: lower case, an international name in its ASCII form, an IPv6 address short and in brackets
 * (RFC 9110, 7.2; RFC 3986, 3.2.2). Undefined where the text is neither, or has a scheme, port or wildcard besides.
 */
export function hostInUrl(text: string): string | undefined {
  const isAddress = text.includes(":");
  const bare = text.replace(/^\[(.*)\]$/, "$1");
  const host = URL.parse(`http://${isAddress ? `[${bare}]` : text}/`)?.host ?? "";
  const isHost = isAddress ? /^\[[0-9a-f:]+\]$/.test(host) : /^[a-z0-9._-]{1,253}$/.test(host) && !/[/\\?#@\s]/.test(text);
  return isHost ? host : undefined;
}

/** Whether it stands for every address, by which nobody can be asked for. */
export function isEveryAddress(host: string): boolean {
  const name = hostInUrl(host);
  return name === EVERY_IPV4 || name === EVERY;
}

/**
 * By which names registers may ask for the port. Those of loopback and the address that is listened on always; besides these the configured ones, or, where other machines can
 * connect and none is configured, the machine's own.
 */
export function servedNames({ host, names }: Listening, machine: MachineNames): readonly string[] {
  const others = names ?? (isLoopback(host) ? [] : ownNames(host, machine));
  const served = [...(isEveryAddress(host) ? [] : [host]), ...others].flatMap((name) => hostInUrl(name) ?? []);
  return [...new Set([...LOOPBACK, ...served])];
}

/** The machine's name, and those of its addresses at which it listens. */
function ownNames(host: string, { hostName, addresses }: MachineNames): readonly string[] {
  const listened = hostInUrl(host);
  const isOne = listened !== undefined && listened !== EVERY && listened !== EVERY_IPV4 && (listened.startsWith("[") || /^[0-9.]+$/.test(listened));
  const isReached = (address: string): boolean =>
    !isOne && (listened !== EVERY_IPV4 || !address.includes(":")) && !isLinkLocal(address) && !isLoopback(address);
  return [hostName, ...addresses.filter(isReached)];
}

/** Such an address is good only with the name of a network card, which no URL can carry (RFC 4291, 2.5.6; RFC 6874). */
function isLinkLocal(address: string): boolean {
  return /^fe[89ab][0-9a-f]:/i.test(address);
}
