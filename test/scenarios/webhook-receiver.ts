import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { fromHex } from "../../src/kit/hex.ts";
import { openEnvelope } from "../../src/webhook/envelope.ts";
import { unseal } from "../../src/webhook/seal.ts";

export const WEBHOOK_KEY = "00112233445566778899AABBCCDDEEFF0123456789ABCDEF0123456789ABCDEF";

/** Somebody else's server for notifications, on a port of its own. */
export interface WebhookReceiver {
  readonly url: string;
  /** The ids of the payments that notifications spoke of, in the order they came. */
  readonly ids: readonly string[];
  /** Listens; from then on every delivery is answered with that status, or never. */
  open(status: number | "never"): Promise<void>;
  close(): Promise<void>;
}

export async function webhookReceiver(): Promise<WebhookReceiver> {
  const ids: string[] = [];
  let server: Server | undefined;
  let port = 0;
  const close = async (): Promise<void> => {
    const closing = server;
    server = undefined;
    closing?.closeAllConnections();
    if (closing !== undefined) await new Promise((resolve) => closing.close(resolve));
  };
  const open = async (status: number | "never"): Promise<void> => {
    await close();
    const listening = createServer(async (request, response) => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const opened = openEnvelope({ headers, body: await text(request) });
      const plain = opened.ok ? unseal(opened.sealed, fromHex(WEBHOOK_KEY)) : undefined;
      const id = plain && /"id":"([0-9a-f]{32})"/.exec(new TextDecoder().decode(plain))?.[1];
      if (id !== undefined) ids.push(id);
      if (status !== "never") response.writeHead(status).end();
    });
    server = listening;
    await new Promise<void>((resolve) => listening.listen(port, "127.0.0.1", resolve));
    const address = listening.address();
    port = typeof address === "object" && address !== null ? address.port : port;
  };
  await open(204);
  return { url: `http://127.0.0.1:${port}/hooks`, ids, open, close };
}
