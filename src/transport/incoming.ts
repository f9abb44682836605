import { LinkError } from "../terminal/link.ts";

/** Bytes nobody has read yet. A terminal's longest message is a few thousand bytes, so a reader that is this far behind is broken. */
export const INCOMING_LIMIT_BYTES = 256 * 1024;

/** The reading half of a link: what arrives is kept in order until it is read, within a limit, and ends once. */
export interface Incoming {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Keeps one run of bytes (after the end: drops it). False when it passed the limit: the stream then has failed with a LinkError and gave up what was unread. */
  push(bytes: Uint8Array): boolean;
  /** Nothing more comes; what is kept can still be read. */
  end(): void;
  /** It broke; what is kept can still be read, then the reader gets the error. */
  fail(error: LinkError): void;
}

type Ending = { readonly how: "ended" } | { readonly how: "failed"; readonly error: LinkError };

/** One reader at a time: `chunks` is one stream, however often it is iterated. A reader that leaves its loop gives up what is unread and what still comes. */
export function createIncoming(device: string, limitBytes: number = INCOMING_LIMIT_BYTES): Incoming {
  const kept: Uint8Array[] = [];
  let keptBytes = 0;
  let ending: Ending | undefined;
  let wake: (() => void) | undefined;

  const finish = (how: Ending): void => {
    ending ??= how;
    wake?.();
  };
  const giveUp = (): void => {
    kept.length = 0;
    keptBytes = 0;
  };
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    for (;;) {
      const chunk = kept.shift();
      if (chunk !== undefined) {
        keptBytes -= chunk.length;
        return { done: false, value: chunk };
      }
      if (ending?.how === "failed") {
        const { error } = ending;
        ending = { how: "ended" };
        throw error;
      }
      if (ending !== undefined) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      wake = undefined;
    }
  };
  const stop = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    giveUp();
    finish({ how: "ended" });
    return { done: true, value: undefined };
  };
  return {
    chunks: { [Symbol.asyncIterator]: () => ({ next, return: stop }) },
    push: (bytes) => {
      if (ending !== undefined || bytes.length === 0) return true;
      keptBytes += bytes.length;
      if (keptBytes > limitBytes) {
        giveUp();
        finish({ how: "failed", error: new LinkError("failed", `${device} sent more than ${limitBytes} bytes that nobody read`) });
        return false;
      }
      kept.push(bytes);
      wake?.();
      return true;
    },
    end: () => finish({ how: "ended" }),
    fail: (error) => finish({ how: "failed", error }),
  };
}
