import { hostInUrl } from "../kit/served-names.ts";

/*
 * Host names and networks that certificates of this machine may name. Addresses are text without brackets; a network is
 * written as address/prefix.
 */

/** Names and addresses of a certificate, and the networks of further addresses that its authority may name. */
export interface Reach {
  readonly names: readonly string[];
  readonly addresses: readonly string[];
  readonly networks: readonly string[];
}

export type ReachReading =
  | { readonly ok: true; readonly reach: Reach }
  | { readonly ok: false; readonly problem: string };

/** Every machine asks itself by these. */
export const LOOPBACK: Reach = { names: ["localhost"], addresses: ["127.0.0.1", "::1"], networks: [] };

const MAX_HOSTS = 32;
const MAX_NETWORKS = 16;
/** RFC 1123, 2.1. */
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);

/** Ranges of a shop's own network: RFC 1918, 3927, 4193, 4291 (link-local) and 6598. */
const OWN_RANGES = [
  ...["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10"],
  ...["fc00::/7", "fe80::/10"],
];

/** Reads host names, addresses and networks as people write them. Loopback is left out: every certificate has it. */
export function parseReach(hosts: readonly string[], networks: readonly string[]): ReachReading {
  const problem = tooMany(hosts, networks) ?? hosts.map(hostProblem).concat(networks.map(networkProblem)).find(isText);
  if (problem !== undefined) return { ok: false, problem };
  const written = [...new Set(hosts.flatMap((host) => hostInUrl(host) ?? []).map(withoutBrackets))];
  const others = written.filter((host) => !isOfLoopback(host));
  if (others.length === 0)
    return { ok: false, problem: "no name or address of this machine is given; name it by --name" };
  return {
    ok: true,
    reach: {
      names: others.filter((host) => bytesOf(host) === undefined),
      addresses: others.filter((host) => bytesOf(host) !== undefined),
      networks: [...new Set(networks.flatMap((network) => maskedText(network) ?? []))],
    },
  };
}

function tooMany(hosts: readonly string[], networks: readonly string[]): string | undefined {
  if (hosts.length > MAX_HOSTS) return `more than ${MAX_HOSTS} names are given; name the ones that tills use by --name`;
  return networks.length > MAX_NETWORKS ? `more than ${MAX_NETWORKS} networks are given; name fewer` : undefined;
}

function hostProblem(text: string): string | undefined {
  const host = hostInUrl(text);
  const bare = host === undefined ? "" : withoutBrackets(host);
  const isHost = bytesOf(bare) !== undefined || NAME.test(bare);
  if (!isHost)
    return `"${text}" is not a host name or an address; name one without scheme, port or wildcard, for example bridge.shop.example`;
  return ["0.0.0.0", "::"].includes(bare) ? `"${text}" is every address; name the one that tills use` : undefined;
}

function networkProblem(text: string): string | undefined {
  const network = parseNetwork(text);
  if (network === undefined) return `"${text}" is not a network; write address/prefix, for example 192.168.1.0/24`;
  const isOwn = OWN_RANGES.some((range) => isWithin(network, parseNetwork(range)));
  return isOwn
    ? undefined
    : `"${text}" is no private network (RFC 1918, RFC 4193); a public address is given alone, by --name`;
}

function isText(problem: string | undefined): problem is string {
  return problem !== undefined;
}

/** The names and addresses of `wanted` that lie outside: an authority of this reach must not name them. */
export function outside(wanted: Reach, { names, addresses, networks }: Reach): readonly string[] {
  const ranges = [...addresses.map(asNetwork), ...networks].map(parseNetwork);
  const isIn = (address: string): boolean => ranges.some((range) => isWithin(parseNetwork(asNetwork(address)), range));
  // A name stands for the names below it, too (RFC 5280, 4.2.1.10).
  const isNamed = (name: string): boolean => names.some((known) => name === known || name.endsWith(`.${known}`));
  return [
    ...wanted.names.filter((name) => !isNamed(name)),
    ...wanted.addresses.filter((address) => !isIn(address)),
    ...wanted.networks.filter((network) => !ranges.some((range) => isWithin(parseNetwork(network), range))),
  ];
}

/** The network of one address. */
export function asNetwork(address: string): string {
  return `${address}/${(bytesOf(address)?.length ?? 0) * 8}`;
}

interface Network {
  readonly bytes: readonly number[];
  readonly prefix: number;
}

function parseNetwork(text: string): Network | undefined {
  const [, address = "", digits = ""] = /^(.+)\/([0-9]{1,3})$/.exec(text) ?? [];
  const host = hostInUrl(address);
  const bytes = host === undefined ? undefined : bytesOf(withoutBrackets(host));
  const prefix = Number(digits);
  return bytes === undefined || prefix > bytes.length * 8 ? undefined : { bytes: masked(bytes, prefix), prefix };
}

function masked(bytes: readonly number[], prefix: number): readonly number[] {
  return bytes.map((byte, at) => byte & (0xff00 >> Math.min(8, Math.max(0, prefix - at * 8))) & 0xff);
}

function isWithin(inner: Network | undefined, outer: Network | undefined): boolean {
  if (inner === undefined || outer === undefined || inner.bytes.length !== outer.bytes.length) return false;
  return (
    inner.prefix >= outer.prefix && masked(inner.bytes, outer.prefix).every((byte, at) => byte === outer.bytes[at])
  );
}

function maskedText(text: string): string | undefined {
  const network = parseNetwork(text);
  return network && `${addressText(network.bytes)}/${network.prefix}`;
}

/** IPv6 in its short form, by way of a URL. */
function addressText(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, at) =>
    (((bytes[at * 2] ?? 0) << 8) | (bytes[at * 2 + 1] ?? 0)).toString(16),
  );
  return withoutBrackets(hostInUrl(groups.join(":")) ?? "");
}

/** The bytes of an address in the form of hostInUrl, without brackets; undefined: a name. */
function bytesOf(host: string): readonly number[] | undefined {
  if (/^[0-9]+(?:\.[0-9]+){3}$/.test(host)) return host.split(".").map(Number);
  if (!host.includes(":")) return undefined;
  const [left = [], right = []] = host.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const groups = [...left, ...Array.from({ length: 8 - left.length - right.length }, () => "0"), ...right];
  return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]);
}

function isOfLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}
