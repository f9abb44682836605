import { LinkError } from "../terminal/link.ts";

/** Bytes given to a link that have not left the process yet; a device that stopped reading is told apart from a slow one by this. */
export const OUTGOING_LIMIT_BYTES = 256 * 1024;

/** How a transport hands bytes to the system: `done` is called when they left, or with what went wrong. It may also never be called (serialport's is not). */
export type Send = (bytes: Uint8Array, done: (error: Error | null | undefined) => void) => void;

/** The writing half of a link: every write settles, at the latest when the link is broken off. */
export interface Outgoing {
  write(bytes: Uint8Array): Promise<void>;
  /** Rejects every write that is under way and every later one. */
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
      return Promise.reject(new LinkError("failed", `${on.device} does not take what is sent: more than ${limitBytes} bytes are waiting; is it switched on?`));
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
