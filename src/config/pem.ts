import { createPrivateKey, X509Certificate } from "node:crypto";

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** What is wrong with the text of a PEM file of certificates, and the mend; undefined where nothing is. */
export function certificateProblem(text: string): string | undefined {
  const blocks = text.match(CERTIFICATES) ?? [];
  if (blocks.length === 0) return "holds no certificate in PEM form (BEGIN CERTIFICATE); convert it: openssl x509 -inform DER -in FILE -out FILE.pem";
  return blocks.every((block) => certificateOf(block) !== undefined) ? undefined : "holds a certificate that cannot be read; export it anew";
}

/** The same of a private key. Nothing of the key is repeated. */
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

/** Whether the first certificate of a file was made for that private key; both were found sound before. */
export function belongTogether(certificates: string, key: string): boolean {
  return certificateOf(certificates)?.checkPrivateKey(createPrivateKey(key)) === true;
}

/** Whether the first certificate of a sound file is good for that name or address, as it stands in a URL. */
export function isNamedIn(certificates: string, name: string): boolean {
  const certificate = certificateOf(certificates);
  const isAddress = name.startsWith("[") || /^[0-9.]+$/.test(name);
  return (isAddress ? certificate?.checkIP(name.replace(/^\[(.*)\]$/, "$1")) : certificate?.checkHost(name)) !== undefined;
}

/** From when until when the first certificate of a sound file is valid, epoch milliseconds. */
export function validityOf(certificates: string): { readonly validFrom: number; readonly validTo: number } | undefined {
  const certificate = certificateOf(certificates);
  return certificate && { validFrom: certificate.validFromDate.getTime(), validTo: certificate.validToDate.getTime() };
}

function certificateOf(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    // The caller says what is wrong with the file.
    return undefined;
  }
}
