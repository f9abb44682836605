import { createPrivateKey, X509Certificate } from "node:crypto";
import { isLoopback } from "../kit/loopback.ts";

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** The problem of a PEM file with certificates, and the fix; undefined: none. */
export function certificateProblem(text: string): string | undefined {
  const blocks = text.match(CERTIFICATES) ?? [];
  if (blocks.length === 0)
    return "holds no certificate in PEM form (BEGIN CERTIFICATE); convert it: openssl x509 -inform DER -in FILE -out FILE.pem";
  return blocks.every((block) => certificateOf(block) !== undefined)
    ? undefined
    : "holds a certificate that cannot be read; export it anew";
}

/** The problem of a PEM file with a private key. No part of the key is repeated. */
export function privateKeyProblem(text: string): string | undefined {
  try {
    createPrivateKey(text);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return code === "ERR_MISSING_PASSPHRASE" || text.includes("ENCRYPTED")
      ? "is encrypted with a passphrase, which nobody types in at a start; store it without: openssl pkey -in FILE -out FILE.pem, and close that to others"
      : "holds no private key in PEM form (BEGIN PRIVATE KEY); name the file with the key";
  }
}

/** Tells whether the first certificate belongs to the private key; both must be valid. */
export function belongTogether(certificates: string, key: string): boolean {
  return certificateOf(certificates)?.checkPrivateKey(createPrivateKey(key)) === true;
}

/** Tells whether the first certificate of a valid file covers that name or address, in the form of a URL. */
function isNamedIn(certificates: string, name: string): boolean {
  const certificate = certificateOf(certificates);
  const isAddress = name.startsWith("[") || /^[0-9.]+$/.test(name);
  return (
    (isAddress ? certificate?.checkIP(name.replace(/^\[(.*)\]$/, "$1")) : certificate?.checkHost(name)) !== undefined
  );
}

/** The names that the first certificate of a valid file does not cover. */
export function namesNotIn(certificates: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => !isLoopback(name) && !isNamedIn(certificates, name));
}

/** Validity of the first certificate of a valid file, epoch milliseconds. */
export function validityOf(certificates: string): { readonly validFrom: number; readonly validTo: number } | undefined {
  const certificate = certificateOf(certificates);
  return certificate && { validFrom: certificate.validFromDate.getTime(), validTo: certificate.validToDate.getTime() };
}

function certificateOf(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    // The caller reports the problem of the file.
    return undefined;
  }
}
