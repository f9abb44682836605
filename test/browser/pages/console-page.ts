import type { Download, Page, WebSocketRoute } from "playwright-core";
import { connectRegister, type RegisterClient } from "../../../src/client/client.ts";
import type { VisitedDemo } from "./demo.ts";

/** A register of the demo's shop, which sells while a technician looks on. */
export async function openRegister(demo: VisitedDemo): Promise<RegisterClient> {
  const token = printed(demo, /register token +(\S+)/);
  return connectRegister({ url: new URL("v1", demo.url.replace("http", "ws")).href, token, after: undefined });
}

/** The first group of what the demo printed. */
export function printed({ program }: VisitedDemo, words: RegExp): string {
  const found = words.exec(program.out.join("\n"))?.[1];
  if (found === undefined) throw new Error(`the demo did not print ${words}`);
  return found;
}

export async function post(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
}

/** The page's line to the bridge, under the test's thumb. */
export interface HeldLine {
  /** Ends the connection, and every next one at once. */
  cut(): Promise<void>;
  mend(): void;
  /** What the bridge says reaches the page changed so. */
  twist(change: (frame: string) => string): void;
}

/** To be called before the page is opened. */
export async function holdLine(page: Page): Promise<HeldLine> {
  const open = new Set<WebSocketRoute>();
  let isCut = false;
  let twisted = (frame: string): string => frame;
  await page.routeWebSocket(/\/v1$/, (socket) => {
    if (isCut) return void socket.close({ code: 1001 });
    open.add(socket);
    const bridge = socket.connectToServer();
    socket.onMessage((frame) => bridge.send(frame));
    bridge.onMessage((frame) => {
      if (open.has(socket)) socket.send(twisted(String(frame)));
    });
  });
  return {
    cut: async () => {
      isCut = true;
      const sockets = [...open];
      open.clear();
      for (const socket of sockets) await socket.close({ code: 1001 });
    },
    mend: () => {
      isCut = false;
    },
    twist: (change) => {
      twisted = change;
    },
  };
}

/** A file that the page handed to the browser. */
export async function textOf(file: Download): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of await file.createReadStream()) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString("utf8");
}
