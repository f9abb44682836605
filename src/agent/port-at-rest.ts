import http from "node:http";
import https from "node:https";
import net from "node:net";
import { z } from "zod";
import type { PortFound } from "../checks/findings.ts";
import type { Clock } from "../kit/clock.ts";
import { certificateOf } from "./findings.ts";

const ANSWER_MS = 3_000;
const MOST_BYTES = 4_000_000;

interface Listen {
  readonly host: string;
  readonly port: number;
  readonly tls?: { readonly cert: string };
}

/** Whether the port is free, or a bridge serves it. Accepts no connection. `asked`: names by which clients may ask for it. */
export async function portAtRest(listen: Listen, clock: Clock, asked: readonly string[]): Promise<PortFound> {
  const { host, port } = listen;
  const atRest = await listens(host, port);
  const servedBy = atRest === "taken" ? await bridgeAt(listen, clock) : undefined;
  return { host, port, ...certificateOf(listen, clock.now(), asked), atRest, ...(servedBy && { servedBy }) };
}

function listens(host: string, port: number): Promise<NonNullable<PortFound["atRest"]>> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", (cause) => {
      const code = "code" in cause ? cause.code : undefined;
      resolve(code === "EADDRINUSE" ? "taken" : code === "EACCES" ? "no-permission" : "no-address");
    });
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve("free")));
  });
}

const documentSchema = z.object({ info: z.object({ title: z.string().startsWith("posbridge ") }) });
const readySchema = z.object({ ready: z.boolean(), reasons: z.array(z.string()) });

/** The bridge that serves a port, according to its public pages; undefined: another program. */
async function bridgeAt(listen: Listen, clock: Clock): Promise<PortFound["servedBy"]> {
  if (!documentSchema.safeParse(await got(listen, "/openrpc.json", clock)).success) return undefined;
  const told = readySchema.safeParse(await got(listen, "/readyz", clock));
  return { reasons: told.success ? told.data.reasons : ["it does not say whether it is ready"] };
}

/**
 * Undefined: no usable answer. The certificate is not verified: nothing secret is sent, and the answer is only
 * displayed.
 */
function got({ host, port, tls }: Listen, path: string, clock: Clock): Promise<unknown> {
  const asked = { host: host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host, port, path, agent: false };
  return new Promise((resolve) => {
    const request = tls === undefined ? http.get(asked) : https.get({ ...asked, rejectUnauthorized: false });
    const end = (answer?: unknown): void => {
      stop();
      request.destroy();
      resolve(answer);
    };
    const stop = clock.after(ANSWER_MS, () => end());
    request.on("error", () => end());
    request.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
        if (text.length > MOST_BYTES) end();
      });
      response.on("error", () => end());
      response.on("end", () => end(jsonOf(text)));
    });
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Another program's answer, which the schema refuses.
    return undefined;
  }
}
