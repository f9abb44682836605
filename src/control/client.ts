import net from "node:net";
import type { z } from "zod";
import type { Clock } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import type { Secret } from "../kit/secret.ts";
import { systemRandom } from "../kit/system-random.ts";
import { ControlFailed, controlAddress } from "./address.ts";
import { lineOf, lineReader } from "./lines.ts";
import { replySchema } from "./message.ts";
import type { ControlMethod } from "./method.ts";
import type { ControlReply } from "./methods.ts";
import { helloOf, introduced, newNonce } from "./proof.ts";
import { readSecret, secretFile } from "./secret-file.ts";

/** `no-daemon`: nothing listens in this data folder. */
export type Asked<T> = { readonly is: "answered"; readonly reply: ControlReply<T> } | { readonly is: "no-daemon" };

/**
 * Sends one request to the daemon of a data folder. Throws ControlFailed if a listener gives no usable answer; the
 * caller must then stop.
 */
export async function askDaemon<P extends z.ZodType, R extends z.ZodType>(
  on: { readonly dataDir: string; readonly clock: Clock; readonly random?: Random },
  method: ControlMethod<string, P, R>,
  params: z.input<P>,
): Promise<Asked<z.output<R>>> {
  const address = controlAddress(on.dataDir);
  const socket = await connect(address);
  if (socket === undefined) return { is: "no-daemon" };
  const unusable = (): ControlFailed => unusableAnswer(address);
  const request = lineOf({ id: 1, method: method.name, params });
  const nonce = newNonce(on.random ?? systemRandom);
  const line = await exchange(socket, { ...on, address, answerMs: method.answerMs, nonce, request });
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

const AS_ITS_USER = "run this command as the user of the bridge, or as an administrator";

function isForbidden({ code }: NodeJS.ErrnoException): boolean {
  return code === "EACCES" || code === "EPERM";
}

function unusableAnswer(address: string): ControlFailed {
  return new ControlFailed(
    `the daemon on ${address} gave no usable answer; is it of the same version as this command?`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Undefined fails the reply's schema, which has the message.
    return undefined;
  }
}

/** Undefined: nothing there, or a dead daemon's socket (connect(2), ECONNREFUSED); no daemon runs in either case. */
function connect(address: string): Promise<net.Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(address);
    const failed = (cause: NodeJS.ErrnoException): void => {
      if (cause.code === "ENOENT" || cause.code === "ECONNREFUSED") resolve(undefined);
      else
        reject(
          new ControlFailed(
            `${address} cannot be reached: ${cause.message}${isForbidden(cause) ? `; ${AS_ITS_USER}` : ""}`,
            { cause },
          ),
        );
    };
    socket.once("error", failed);
    socket.once("connect", () => {
      socket.off("error", failed);
      resolve(socket);
    });
  });
}

interface Exchange {
  readonly clock: Clock;
  readonly dataDir: string;
  readonly address: string;
  readonly answerMs: number;
  readonly nonce: string;
  readonly request: string;
}

/** Verifies the other side, proves this side, sends one line and returns the first reply. */
function exchange(
  socket: net.Socket,
  { clock, dataDir, address, answerMs, nonce, request }: Exchange,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = lineReader();
    let isProven = false;
    const end = (finish: () => void): void => {
      stop();
      socket.destroy();
      finish();
    };
    const fail = (why: string, cause?: Error): void =>
      end(() => reject(new ControlFailed(`the daemon on ${address} ${why}`, { cause })));
    const stop = clock.after(answerMs, () => fail(`did not answer within ${answerMs / 1000} s; see its log`));
    const hear = (line: string): void => {
      const proof = isProven ? undefined : proofFor(line, { dataDir, address, nonce });
      if (proof === undefined) end(() => resolve(line));
      else if (proof instanceof ControlFailed) end(() => reject(proof));
      else socket.write(lineOf(proof) + request);
      isProven = true;
    };
    socket.on("data", (chunk: Uint8Array) => {
      try {
        for (const line of lines.push(chunk)) hear(line);
      } catch {
        fail("sent a line without an end");
      }
    });
    socket.on("error", (cause) => fail(`broke off: ${cause.message}`, cause));
    socket.on("close", () => fail("closed the connection without an answer"));
    socket.write(lineOf(helloOf(nonce)));
  });
}

/** The proof for the daemon that sent this line; a ControlFailed if it is not the daemon of the data folder. */
function proofFor(
  line: string,
  { dataDir, address, nonce }: Pick<Exchange, "dataDir" | "address" | "nonce">,
): object | ControlFailed {
  const secret = secretFor(dataDir);
  if (secret instanceof ControlFailed) return secret;
  const introduction = introduced(secret, nonce, line);
  switch (introduction.is) {
    case "proven":
      return introduction.message;
    case "other":
      return unusableAnswer(address);
    case "stranger":
      return new ControlFailed(
        `what listens on ${address} does not know the secret of ${dataDir}: it is not this folder's daemon; find that program and end it`,
      );
  }
}

/** Undefined: there is none, and no listener can be trusted. */
function secretFor(dataDir: string): Secret<string> | undefined | ControlFailed {
  try {
    return readSecret(dataDir);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return new ControlFailed(`${secretFile(dataDir)} cannot be read (${why}); ${AS_ITS_USER}`, { cause });
  }
}
