import net from "node:net";
import type { z } from "zod";
import type { Clock } from "../kit/clock.ts";
import { ControlFailed, controlAddress } from "./address.ts";
import { lineOf, lineReader } from "./lines.ts";
import { replySchema } from "./message.ts";
import type { ControlMethod, ControlReply } from "./methods.ts";

/** `no-daemon`: nothing listens in this data folder. */
export type Asked<T> = { readonly is: "answered"; readonly reply: ControlReply<T> } | { readonly is: "no-daemon" };

/**
 * Asks the daemon of a data folder, once. Throws ControlFailed where something listens there that gives no usable answer: then the caller must not go on
 * without it.
 */
export async function askDaemon<P extends z.ZodType, R extends z.ZodType>(
  on: { readonly dataDir: string; readonly clock: Clock },
  method: ControlMethod<string, P, R>,
  params: z.input<P>,
): Promise<Asked<z.output<R>>> {
  const address = controlAddress(on.dataDir);
  const socket = await connect(address);
  if (socket === undefined) return { is: "no-daemon" };
  const unusable = (): ControlFailed => new ControlFailed(`the daemon on ${address} gave no usable answer; is it of the same version as this command?`);
  const line = await exchange(socket, lineOf({ id: 1, method: method.name, params }), { clock: on.clock, address, answerMs: method.answerMs });
  const parsed = replySchema.safeParse(parseJson(line));
  if (!parsed.success) throw unusable();
  const message = parsed.data;
  if ("result" in message) {
    const result = method.result.safeParse(message.result);
    if (!result.success) throw unusable();
    return { is: "answered", reply: { ok: true, value: result.data } };
  }
  if (message.error.code !== "refused") throw new ControlFailed(message.error.message);
  return { is: "answered", reply: { ok: false, message: message.error.message } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is not JSON fails the reply's schema, which has the words for it.
    return undefined;
  }
}

/** Nothing there, or the socket of a daemon that died (connect(2), ECONNREFUSED): both mean that no daemon runs. */
function connect(address: string): Promise<net.Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(address);
    const failed = (cause: NodeJS.ErrnoException): void => {
      if (cause.code === "ENOENT" || cause.code === "ECONNREFUSED") resolve(undefined);
      else reject(new ControlFailed(`${address} cannot be reached: ${cause.message}`, { cause }));
    };
    socket.once("error", failed);
    socket.once("connect", () => {
      socket.off("error", failed);
      resolve(socket);
    });
  });
}

interface Wait {
  readonly clock: Clock;
  readonly address: string;
  readonly answerMs: number;
}

/** Sends one line and gives the first that comes back. */
function exchange(socket: net.Socket, request: string, { clock, address, answerMs }: Wait): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = lineReader();
    const end = (finish: () => void): void => {
      stop();
      socket.destroy();
      finish();
    };
    const fail = (why: string, cause?: Error): void => end(() => reject(new ControlFailed(`the daemon on ${address} ${why}`, { cause })));
    const stop = clock.after(answerMs, () => fail(`did not answer within ${answerMs / 1000} s; see its log`));
    socket.on("data", (chunk: Uint8Array) => {
      try {
        const [line] = lines.push(chunk);
        if (line !== undefined) end(() => resolve(line));
      } catch {
        fail("sent a line without an end");
      }
    });
    socket.on("error", (cause) => fail(`broke off: ${cause.message}`, cause));
    socket.on("close", () => fail("closed the connection without an answer"));
    socket.write(request);
  });
}
