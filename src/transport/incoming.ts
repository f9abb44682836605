import { LinkError } from "../terminal/link.ts";

/**
 * Limit of unread bytes. A terminal's longest message has a few thousand bytes, so a reader this far behind is broken.
 */
export const INCOMING_LIMIT_BYTES = 256 * 1024;

/** The reading half of a link: incoming bytes are kept in order, within a limit, until read. It ends once. */
export interface Incoming {
  readonly chunks: AsyncIterable<Uint8Array>;
  /**
   * Keeps some bytes; drops them after the end. False: the limit is exceeded, the stream has failed with a LinkError,
   * and unread bytes are dropped.
   */
  push(bytes: Uint8Array): boolean;
  /** The stream has ended; kept bytes can still be read. */
  end(): void;
  /** The stream broke; kept bytes can still be read, then the reader gets the error. */
  fail(error: LinkError): void;
}

type Ending = { readonly how: "ended" } | { readonly how: "failed"; readonly error: LinkError };
type Next = IteratorResult<Uint8Array, undefined>;

const OVER: Next = { done: true, value: undefined };

/**
 * One reader at a time: every iteration of `chunks` continues one stream. A reader that leaves its loop gives up all
 * unread and later bytes.
 */
export function createIncoming(device: string, limitBytes: number = INCOMING_LIMIT_BYTES): Incoming {
  const kept: Uint8Array[] = [];
  let keptBytes = 0;
  let ending: Ending | undefined;
  /** The reader while it waits for bytes. */
  let waiting: PromiseWithResolvers<Next> | undefined;

  /** The error is thrown once. */
  const over = ({ resolve, reject }: PromiseWithResolvers<Next>): void => {
    const last = ending;
    ending = { how: "ended" };
    if (last?.how === "failed") reject(last.error);
    else resolve(OVER);
  };
  const finish = (how: Ending): void => {
    ending ??= how;
    if (waiting !== undefined) over(waiting);
    waiting = undefined;
  };
  const giveUp = (): void => {
    kept.length = 0;
    keptBytes = 0;
  };
  const next = (): Promise<Next> => {
    const chunk = kept.shift();
    if (chunk !== undefined) {
      keptBytes -= chunk.length;
      return Promise.resolve({ done: false, value: chunk });
    }
    const reader = Promise.withResolvers<Next>();
    if (ending === undefined) waiting = reader;
    else over(reader);
    return reader.promise;
  };
  const stop = (): Promise<Next> => {
    giveUp();
    finish({ how: "ended" });
    return Promise.resolve(OVER);
  };
  return {
    chunks: { [Symbol.asyncIterator]: () => ({ next, return: stop }) },
    push: (bytes) => {
      if (ending !== undefined || bytes.length === 0) return true;
      if (keptBytes + bytes.length > limitBytes) {
        giveUp();
        finish({
          how: "failed",
          error: new LinkError("failed", `${device} sent more than ${limitBytes} bytes that nobody read`),
        });
        return false;
      }
      if (waiting === undefined) {
        keptBytes += bytes.length;
        kept.push(bytes);
      } else waiting.resolve({ done: false, value: bytes });
      waiting = undefined;
      return true;
    },
    end: () => finish({ how: "ended" }),
    fail: (error) => finish({ how: "failed", error }),
  };
}
