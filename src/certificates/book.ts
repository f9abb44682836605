import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { type Clock, isoTime } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import { AUTHORITY, AUTHORITY_COPY, BRIDGE, BRIDGE_KEY, type CertificateStore, type StoredFile } from "./files.ts";
import { outside, parseReach, type Reach } from "./reach.ts";
import { authorityCertificate, type Draft, reachOfAuthority, reachOfServer, serverCertificate } from "./x509.ts";

/*
 * The certificate authority of this machine, and the bridge's own certificate by it. It loads the packages that write
 * certificates: load this file only where certificates are made or renewed.
 */

export interface CertificatePorts {
  readonly store: CertificateStore;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  /** A new private key on P-256. */
  newKey(): KeyObject;
}

export interface CertificateEntry {
  readonly is: "authority" | "bridge";
  readonly subject: string;
  /** For the authority: the names and networks that it may certify. */
  readonly names: readonly string[];
  readonly validFrom: string;
  readonly validTo: string;
  /** SHA-256 of the certificate, in pairs of hexadecimal digits. */
  readonly fingerprint: string;
  /** The same by SHA-1, as Windows shows it. */
  readonly thumbprint: string;
  /** The file to give away, or to name in the configuration. */
  readonly file: string;
}

export interface CertificateRequest {
  /** Host names and addresses by which tills ask for the bridge. */
  readonly hosts: readonly string[];
  /** Networks in which later addresses of the bridge may lie. */
  readonly networks: readonly string[];
  /** Makes a new authority although there is one: every till has to trust the new one. */
  readonly replace: boolean;
}

export interface CertificatesMade {
  readonly authority: CertificateEntry;
  readonly bridge: CertificateEntry;
  readonly keyFile: string;
  /** False: the tills trust this authority already. */
  readonly isNewAuthority: boolean;
}

export type CertificateAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

export interface CertificateBook {
  create(request: CertificateRequest): CertificateAnswer<CertificatesMade>;
  list(): CertificateAnswer<readonly CertificateEntry[]>;
  /** The authority's certificate in PEM form. */
  print(): CertificateAnswer<string>;
  /** A new certificate in place of `served`, if this authority issued that one and its end is near; else undefined. */
  renew(served: string): CertificateAnswer<ServedIdentity | undefined>;
}

/** What a listener serves. */
interface ServedIdentity {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;
/** Time until every till has to trust a new authority. */
const AUTHORITY_DAYS = 3_650;
/** Every browser accepts this; a stolen key of the bridge is worth little after it. */
const BRIDGE_DAYS = 120;
/** A shop may be closed for some weeks. */
const RENEW_DAYS = 45;
/** Clocks of tills are behind at times. */
const EARLIER_MS = DAY_MS;
const SERIAL_BYTES = 16;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----\n?/;

interface Authority {
  readonly pem: string;
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
}

export function certificateBook(ports: CertificatePorts): CertificateBook {
  const { store } = ports;
  return {
    create: (request) => create(ports, request),
    list: () => {
      const read = readAuthority(store);
      if (!read.ok) return read;
      const bridge = textOf(store.read(BRIDGE));
      const entries = [
        ...(read.value === undefined ? [] : [entryOf(store, AUTHORITY_COPY, read.value.pem)]),
        ...(bridge === undefined ? [] : [entryOf(store, BRIDGE, bridge)]),
      ];
      return { ok: true, value: entries };
    },
    print: () => {
      const read = readAuthority(store);
      if (!read.ok) return read;
      return read.value === undefined ? NONE : { ok: true, value: read.value.pem };
    },
    renew: (served) => renew(ports, served),
  };
}

const NONE = {
  ok: false,
  message: "this machine has no certificate authority; make one: posbridge certificates create",
} as const;

function create(ports: CertificatePorts, request: CertificateRequest): CertificateAnswer<CertificatesMade> {
  const { store } = ports;
  const reading = parseReach(request.hosts, request.networks);
  if (!reading.ok) return { ok: false, message: reading.problem };
  const read = request.replace ? ({ ok: true, value: undefined } as const) : readAuthority(store);
  if (!read.ok) return read;
  const known = read.value;
  if (known !== undefined) {
    const beyond = outside(reading.reach, reachOfAuthority(known.certificate.raw));
    if (beyond.length > 0)
      return {
        ok: false,
        message: `the authority of this machine may not certify ${beyond.join(", ")}; make a new one by --replace, and have every till trust it`,
      };
    if (known.certificate.validToDate.getTime() <= ports.clock.now()) return { ok: false, message: ENDED };
  }
  const key = readKey(store);
  if (!key.ok) return key;
  const authority = known ?? newAuthority(ports, reading.reach);
  store.write(AUTHORITY_COPY, authority.pem);
  if (key.value === undefined) store.write(BRIDGE_KEY, privatePem(ports.newKey()));
  const bridge = issue(ports, authority, reading.reach);
  if (!bridge.ok) return bridge;
  return {
    ok: true,
    value: {
      authority: entryOf(store, AUTHORITY_COPY, authority.pem),
      bridge: entryOf(store, BRIDGE, bridge.value.cert),
      keyFile: store.path(BRIDGE_KEY),
      isNewAuthority: known === undefined,
    },
  };
}

const ENDED =
  "the authority of this machine has ended; make a new one: posbridge certificates create --replace, and have every till trust it";

function newAuthority({ store, clock, random, newKey }: CertificatePorts, reach: Reach): Authority {
  const key = newKey();
  const id = Buffer.from(random.bytes(4)).toString("hex");
  const [host = "till"] = [...reach.names, ...reach.addresses];
  const draft: Draft = {
    serial: random.bytes(SERIAL_BYTES),
    subject: `posbridge authority ${host.slice(0, 32)} ${id}`,
    publicKey: createPublicKey(key),
    validFrom: clock.now() - EARLIER_MS,
    validTo: clock.now() + AUTHORITY_DAYS * DAY_MS,
    reach,
  };
  const pem = authorityCertificate(draft, key);
  store.write(AUTHORITY, `${privatePem(key)}${pem}`);
  return { pem, certificate: new X509Certificate(pem), key };
}

/** The bridge keeps its key, so that certificate and key on disk belong together at every moment. */
function issue(
  { store, clock, random }: CertificatePorts,
  { certificate, key }: Authority,
  reach: Reach,
): CertificateAnswer<ServedIdentity> {
  const own = readKey(store);
  if (!own.ok) return own;
  if (own.value === undefined)
    return { ok: false, message: `${store.path(BRIDGE_KEY)} is missing; make it: posbridge certificates create` };
  const subject = commonName(certificate);
  const draft: Draft = {
    serial: random.bytes(SERIAL_BYTES),
    subject: `posbridge bridge of ${subject}`.slice(0, 64),
    publicKey: createPublicKey(own.value.key),
    validFrom: Math.max(clock.now() - EARLIER_MS, certificate.validFromDate.getTime()),
    validTo: Math.min(clock.now() + BRIDGE_DAYS * DAY_MS, certificate.validToDate.getTime()),
    reach,
  };
  const cert = serverCertificate(draft, { subject, privateKey: key, publicKey: createPublicKey(key) });
  store.write(BRIDGE, cert);
  return { ok: true, value: { cert, key: own.value.pem } };
}

function renew(ports: CertificatePorts, served: string): CertificateAnswer<ServedIdentity | undefined> {
  const nothing = { ok: true, value: undefined } as const;
  if (ports.store.read(AUTHORITY).is === "absent") return nothing;
  const now = ports.clock.now();
  const current = new X509Certificate(served);
  if (!isDue(current, now)) return nothing;
  const read = readAuthority(ports.store);
  if (!read.ok) return read;
  if (read.value === undefined || !isIssuedBy(current, read.value)) return nothing;
  const authority = read.value;
  const ends = authority.certificate.validToDate.getTime();
  if (ends <= now) return { ok: false, message: ENDED };
  // Nothing is gained where the authority itself is what ends.
  if (current.validToDate.getTime() >= ends && current.validFromDate.getTime() <= now) return nothing;
  return issue(ports, authority, reachOfServer(current.raw));
}

/** A certificate from a clock that was ahead is not valid yet. */
function isDue(certificate: X509Certificate, now: number): boolean {
  return now < certificate.validFromDate.getTime() || certificate.validToDate.getTime() - now < RENEW_DAYS * DAY_MS;
}

function isIssuedBy(certificate: X509Certificate, { certificate: issuer }: Authority): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** Undefined: there is none. The refusal never repeats what the file holds. */
function readAuthority(store: CertificateStore): CertificateAnswer<Authority | undefined> {
  const stored = store.read(AUTHORITY);
  if (stored.is === "absent") return { ok: true, value: undefined };
  if (stored.is === "refused") return { ok: false, message: `${store.path(AUTHORITY)} ${stored.problem}` };
  const [pem] = CERTIFICATE.exec(stored.text) ?? [];
  const key = keyOf(stored.text);
  const certificate = pem === undefined ? undefined : certificateOf(pem);
  if (pem === undefined || key === undefined || certificate?.checkPrivateKey(key) !== true)
    return {
      ok: false,
      message: `${store.path(AUTHORITY)} is damaged; make a new authority: posbridge certificates create --replace, and have every till trust it`,
    };
  return { ok: true, value: { pem, certificate, key } };
}

function readKey(
  store: CertificateStore,
): CertificateAnswer<{ readonly pem: string; readonly key: KeyObject } | undefined> {
  const stored = store.read(BRIDGE_KEY);
  if (stored.is === "absent") return { ok: true, value: undefined };
  if (stored.is === "refused") return { ok: false, message: `${store.path(BRIDGE_KEY)} ${stored.problem}` };
  const key = keyOf(stored.text);
  return key === undefined
    ? {
        ok: false,
        message: `${store.path(BRIDGE_KEY)} holds no private key; remove it, and create the certificate anew`,
      }
    : { ok: true, value: { pem: stored.text, key } };
}

function keyOf(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    // The caller tells which file is damaged, and nothing of its content.
    return undefined;
  }
}

function certificateOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    // The caller tells which file is damaged.
    return undefined;
  }
}

function textOf(stored: StoredFile): string | undefined {
  return stored.is === "file" && certificateOf(stored.text) !== undefined ? stored.text : undefined;
}

function entryOf(store: CertificateStore, file: typeof AUTHORITY_COPY | typeof BRIDGE, pem: string): CertificateEntry {
  const certificate = new X509Certificate(pem);
  const isAuthority = file === AUTHORITY_COPY;
  const { names, addresses, networks } = (isAuthority ? reachOfAuthority : reachOfServer)(certificate.raw);
  return {
    is: isAuthority ? "authority" : "bridge",
    subject: commonName(certificate),
    names: [...names, ...addresses, ...networks],
    validFrom: isoTime(certificate.validFromDate.getTime()),
    validTo: isoTime(certificate.validToDate.getTime()),
    fingerprint: certificate.fingerprint256,
    thumbprint: certificate.fingerprint,
    file: store.path(file),
  };
}

function commonName({ subject }: X509Certificate): string {
  return subject.replace(/^CN=/, "");
}

function privatePem(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}
