/*
 * The files of the certificates. `authority.pem` alone is the truth: key and certificate in one file, replaced at once.
 * `authority.crt` is the copy to give away.
 */

export const AUTHORITY = "authority.pem";
export const AUTHORITY_COPY = "authority.crt";
export const BRIDGE_KEY = "bridge.key";
export const BRIDGE = "bridge.crt";
export type CertificateFile = typeof AUTHORITY | typeof AUTHORITY_COPY | typeof BRIDGE_KEY | typeof BRIDGE;

/** The folder of the certificates. A private file that others may read is refused, not read. */
export interface CertificateStore {
  path(file: CertificateFile): string;
  read(file: CertificateFile): StoredFile;
  /** Replaces the file at once, mode 0600. */
  write(file: CertificateFile, text: string): void;
}

export type StoredFile =
  | { readonly is: "absent" }
  | { readonly is: "file"; readonly text: string }
  | { readonly is: "refused"; readonly problem: string };
