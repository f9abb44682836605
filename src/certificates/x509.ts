import { createHash, type KeyObject, sign } from "node:crypto";
import { AsnConvert, OctetString } from "@peculiar/asn1-schema";
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_nameConstraints,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  NameConstraints,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from "@peculiar/asn1-x509";
import { asNetwork, LOOPBACK, type Reach } from "./reach.ts";

/*
 * Certificates as bytes (RFC 5280). The schemas of @peculiar/asn1-x509 write DER; Node signs (ECDSA on P-256 with
 * SHA-256, which every browser takes).
 */

/** One certificate to write. */
export interface Draft {
  /** 16 bytes, random. */
  readonly serial: Uint8Array;
  readonly subject: string;
  readonly publicKey: KeyObject;
  /** Epoch milliseconds. */
  readonly validFrom: number;
  readonly validTo: number;
  readonly reach: Reach;
}

export interface Issuer {
  readonly subject: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
const COMMON_NAME = "2.5.4.3";
const PEM_LINE = /.{1,64}/g;

/**
 * The certificate of an authority that may issue for servers of this reach and for nothing else. Loopback constrains
 * names and addresses even if only one kind is given: a kind without a permitted entry would be free.
 */
export function authorityCertificate(draft: Draft, privateKey: KeyObject): string {
  const { names, addresses, networks } = withLoopback(draft.reach);
  const permitted = [
    ...names.map((dNSName) => new GeneralName({ dNSName })),
    ...[...addresses.map(asNetwork), ...networks].map((iPAddress) => new GeneralName({ iPAddress })),
  ];
  const constraints = new NameConstraints({
    permittedSubtrees: new GeneralSubtrees(permitted.map((base) => new GeneralSubtree({ base }))),
  });
  return signed(draft, { subject: draft.subject, privateKey, publicKey: draft.publicKey }, [
    extension(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 }), true),
    extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign), true),
    extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth]), false),
    extension(id_ce_nameConstraints, constraints, true),
  ]);
}

/** The certificate of a server with the names and addresses of this reach. */
export function serverCertificate(draft: Draft, issuer: Issuer): string {
  const { names, addresses } = withLoopback(draft.reach);
  const named = [
    ...names.map((dNSName) => new GeneralName({ dNSName })),
    ...addresses.map((iPAddress) => new GeneralName({ iPAddress })),
  ];
  return signed(draft, issuer, [
    extension(id_ce_basicConstraints, new BasicConstraints({ cA: false }), true),
    extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), true),
    extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth]), false),
    extension(id_ce_subjectAltName, new SubjectAlternativeName(named), false),
  ]);
}

/** Loopback is in every certificate: tills of the bridge's own machine use the same port. */
function withLoopback({ names, addresses, networks }: Reach): Reach {
  return {
    names: [...names, ...LOOPBACK.names],
    addresses: [...addresses, ...LOOPBACK.addresses],
    networks,
  };
}

/** The reach of an authority's certificate: its permitted names and networks, loopback among them. */
export function reachOfAuthority(certificate: Uint8Array): Reach {
  const value = extensionOf(certificate, id_ce_nameConstraints);
  const subtrees = value === undefined ? [] : [...(AsnConvert.parse(value, NameConstraints).permittedSubtrees ?? [])];
  return {
    names: subtrees.flatMap(({ base }) => base.dNSName ?? []),
    addresses: [],
    networks: subtrees.flatMap(({ base }) => base.iPAddress ?? []),
  };
}

/** The names and addresses of a server's certificate, without loopback. */
export function reachOfServer(certificate: Uint8Array): Reach {
  const value = extensionOf(certificate, id_ce_subjectAltName);
  const named = value === undefined ? [] : [...AsnConvert.parse(value, SubjectAlternativeName)];
  return {
    names: named.flatMap(({ dNSName }) => dNSName ?? []).filter((name) => !LOOPBACK.names.includes(name)),
    addresses: named
      .flatMap(({ iPAddress }) => iPAddress ?? [])
      .filter((address) => !LOOPBACK.addresses.includes(address)),
    networks: [],
  };
}

function extensionOf(certificate: Uint8Array, id: string): ArrayBuffer | undefined {
  const { extensions } = AsnConvert.parse(certificate, Certificate).tbsCertificate;
  return extensions?.find(({ extnID }) => extnID === id)?.extnValue.buffer;
}

function signed(
  { serial, subject, publicKey, validFrom, validTo }: Draft,
  issuer: Issuer,
  extensions: readonly Extension[],
): string {
  const algorithm = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 });
  const own = keyIdentifier(publicKey);
  const issuing = new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(keyIdentifier(issuer.publicKey)) });
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: positive(serial),
    signature: algorithm,
    issuer: nameOf(issuer.subject),
    validity: new Validity({ notBefore: new Date(validFrom), notAfter: new Date(validTo) }),
    subject: nameOf(subject),
    subjectPublicKeyInfo: AsnConvert.parse(spkiOf(publicKey), SubjectPublicKeyInfo),
    extensions: new Extensions([
      ...extensions,
      extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(own), false),
      extension(id_ce_authorityKeyIdentifier, issuing, false),
    ]),
  });
  const signature = sign("sha256", Buffer.from(AsnConvert.serialize(tbsCertificate)), issuer.privateKey);
  const certificate = new Certificate({
    tbsCertificate,
    signatureAlgorithm: algorithm,
    signatureValue: bufferOf(signature),
  });
  const base64 = Buffer.from(AsnConvert.serialize(certificate)).toString("base64");
  return ["-----BEGIN CERTIFICATE-----", ...(base64.match(PEM_LINE) ?? []), "-----END CERTIFICATE-----", ""].join("\n");
}

function extension(extnID: string, value: unknown, critical: boolean): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

function nameOf(commonName: string): Name {
  const value = new AttributeValue({ utf8String: commonName });
  return new Name([new RelativeDistinguishedName([new AttributeTypeAndValue({ type: COMMON_NAME, value })])]);
}

/** A serial number is a positive integer of a fixed length (RFC 5280, 4.1.2.2). */
function positive(serial: Uint8Array): ArrayBuffer {
  const [first = 0, ...rest] = serial;
  return bufferOf(Uint8Array.from([(first & 0x3f) | 0x40, ...rest]));
}

/** RFC 7093, 2, method 1. */
function keyIdentifier(key: KeyObject): ArrayBuffer {
  const { subjectPublicKey } = AsnConvert.parse(spkiOf(key), SubjectPublicKeyInfo);
  return bufferOf(createHash("sha256").update(new Uint8Array(subjectPublicKey)).digest().subarray(0, 20));
}

function spkiOf(key: KeyObject): Uint8Array {
  return key.export({ type: "spki", format: "der" });
}

function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}
