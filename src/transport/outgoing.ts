import { LinkError } from "../terminal/link.ts";

/** Limit of bytes not yet taken by the system. It distinguishes a device that stopped reading from a slow one. */
export const OUTGOING_LIMIT_BYTES = 256 * 1024;

/**
 * Passes bytes to the system. `done` gets the result when they have left, or never (serialport's may not be called).
 */
export type Send = (bytes: Uint8Array, done: (error: Error | null | undefined) => void) => void;

/** The writing half of a link: every write settles, at the latest when the link breaks. */
export interface Outgoing {
  write(bytes: Uint8Array): Promise<void>;
  /** Rejects all current and later writes. */
  breakOff(error: LinkError): void;
}

export function createOutgoing(on: {
  readonly device: string;
  readonly send: Send;
  readonly limitBytes?: number;
  readonly failed: (error: Error) => LinkError;
}): Outgoing {
  const limitBytes = on.limitBytes ?? OUTGOING_LIMIT_BYTES;
  const pending = new Set<(error: LinkError) => void>();
  let pendingBytes = 0;
  let broken: LinkError | undefined;

  const write = (bytes: Uint8Array): Promise<void> => {
    if (broken !== undefined) return Promise.reject(broken);
    if (pendingBytes + bytes.length > limitBytes) {
      return Promise.reject(
        new LinkError(
          "failed",
          `${on.device} does not take what is sent: more than ${limitBytes} bytes are waiting; is it switched on?`,
        ),
      );
    }
    return new Promise((resolve, reject) => {
      pendingBytes += bytes.length;
      pending.add(reject);
      on.send(bytes, (error) => {
        if (!pending.delete(reject)) return;
        pendingBytes -= bytes.length;
        if (error) reject(on.failed(error));
        else resolve();
      });
    });
  };
  const breakOff = (error: LinkError): void => {
    if (broken !== undefined) return;
    broken = error;
    for (const reject of pending) reject(error);
    pending.clear();
    pendingBytes = 0;
  };
  return { write, breakOff };
}
