import { frameSchema } from "../register/rpc/schemas.ts";
import { type CallRefused, ProtocolBroken } from "./errors.ts";
import { refusalOf } from "./refusals.ts";
import type { Schema } from "./schema.ts";
import { readTolerantly } from "./tolerant.ts";

/** Calls by JSON-RPC 2.0 over text frames: numbers them and assigns the answers. */
export interface Calls {
  /** `heard` runs in the turn of the result, before any later frame. */
  call<T>(method: string, params: object, result: Schema<T>, heard?: (result: T) => void): Promise<T>;
  /** One frame from the bridge. */
  text(text: string): void;
  /** No more answers will come. */
  lost(error: Error): void;
}

interface CallsPorts {
  send(text: string): void;
  notified(method: string, params: unknown): void;
  /** An error that answers no call. */
  refused(error: CallRefused): void;
}

interface Waiting {
  answer(result: unknown): void;
  fail(error: Error): void;
}

export function openCalls({ send, notified, refused }: CallsPorts): Calls {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let gone: Error | undefined;

  const call = async <T>(
    method: string,
    params: object,
    result: Schema<T>,
    heard?: (result: T) => void,
  ): Promise<T> => {
    if (gone !== undefined) throw gone;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    last += 1;
    const answer = (said: unknown): void => {
      try {
        const read = readTolerantly(result, said, method);
        heard?.(read);
        resolve(read);
      } catch (error) {
        reject(error);
      }
    };
    waiting.set(last, { answer, fail: reject });
    send(JSON.stringify({ jsonrpc: "2.0", id: last, method, params }));
    return promise;
  };

  const settle = (id: number | null, end: (call: Waiting) => void): void => {
    const call = id === null ? undefined : waiting.get(id);
    if (id === null || call === undefined) return;
    waiting.delete(id);
    end(call);
  };

  const text = (frame: string): void => {
    const said = readTolerantly(frameSchema, parseJson(frame), "a frame");
    if ("method" in said) notified(said.method, said.params);
    else if ("error" in said && said.id === null) refused(refusalOf(said.error));
    else if ("error" in said) settle(said.id, (call) => call.fail(refusalOf(said.error)));
    else settle(said.id, (call) => call.answer(said.result));
  };
  const lost = (error: Error): void => {
    gone = error;
    const calls = [...waiting.values()];
    waiting.clear();
    for (const each of calls) each.fail(error);
  };
  return { call, text, lost };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProtocolBroken("a frame that is not JSON", { cause: error });
  }
}
