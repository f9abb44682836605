import { createCipheriv, createDecipheriv } from "node:crypto";

/** AES-256 (gateway-facts 3): 64 hexadecimal digits, one key for each webhook. */
const KEY_BYTES = 32;
/**
 * 96 bits, new for every delivery: a repetition under the same key reveals the authentication key (NIST SP 800-38D, 8).
 */
export const IV_BYTES = 12;
/** Only the full tag: Node would also accept 4 bytes, which can be guessed. */
const TAG_BYTES = 16;

/** A notification in transit. */
export interface Sealed {
  readonly iv: Uint8Array;
  readonly tag: Uint8Array;
  readonly body: Uint8Array;
}

/**
 * Encrypts a notification: AES-256-GCM without padding and without additional data. Throws a RangeError on a key or
 * initialization vector of another length.
 */
export function seal(plain: Uint8Array, key: Uint8Array, iv: Uint8Array): Sealed {
  if (key.length !== KEY_BYTES || iv.length !== IV_BYTES)
    throw new RangeError(`a key has ${KEY_BYTES} bytes and an initialization vector ${IV_BYTES}`);
  const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return { iv, tag: cipher.getAuthTag(), body };
}

/** Decrypts a notification. Undefined: another key, a changed message, or an iv or tag of another length. */
export function unseal({ iv, tag, body }: Sealed, key: Uint8Array): Uint8Array | undefined {
  if (key.length !== KEY_BYTES) throw new RangeError(`a key has ${KEY_BYTES} bytes`);
  if (iv.length !== IV_BYTES || tag.length !== TAG_BYTES) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(tag);
  const plain = decipher.update(body);
  try {
    decipher.final();
    return plain;
  } catch {
    // The tag does not match: no holder of the key has written this.
    return undefined;
  }
}
