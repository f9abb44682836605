import { createServer, type Server } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { type Link, LinkError } from "../../../src/terminal/link.ts";
import { openWebSocket, webSocketError } from "../../../src/transport/websocket.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const servers: (Server | WebSocketServer)[] = [];
const links: Link[] = [];

afterEach(async () => {
  for (const link of links.splice(0)) await link.close();
  for (const server of servers.splice(0)) server.close();
});

/** A terminal that is a WebSocket server: the link, and the device's side of it. */
async function connected(clock = systemClock): Promise<{ readonly link: Link; readonly device: WebSocket; readonly path: string }> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, autoPong: clock === systemClock });
  servers.push(server);
  const arrived = Promise.withResolvers<{ readonly device: WebSocket; readonly path: string }>();
  server.on("connection", (device, request) => arrived.resolve({ device, path: request.url ?? "" }));
  await new Promise((resolve) => server.once("listening", resolve));
  const link = await openWebSocket({ host: "127.0.0.1", port: portOf(server), path: "/device" }, { connectMs: 5_000, clock });
  links.push(link);
  return { link, ...(await arrived.promise) };
}

function portOf(server: Server | WebSocketServer): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

async function readAll(link: Link): Promise<readonly Uint8Array[]> {
  const read: Uint8Array[] = [];
  for await (const chunk of link.incoming) read.push(chunk);
  return read;
}

describe("a WebSocket link", () => {
  test("carries whole binary messages both ways and ends when the device hangs up", async () => {
    const { link, device, path } = await connected();
    expect(path).toBe("/device");
    const heard = new Promise<readonly [unknown, boolean]>((resolve) => device.once("message", (data, isBinary) => resolve([data, isBinary])));
    await link.write(Uint8Array.of(0xaa, 0, 0xff));
    expect(await heard).toEqual([Buffer.from([0xaa, 0, 0xff]), true]);
    device.send(Uint8Array.of(1));
    device.send(new Uint8Array(4000).fill(7));
    device.close();
    expect(await readAll(link)).toEqual([Uint8Array.of(1), new Uint8Array(4000).fill(7)]);
    await expect(link.write(Uint8Array.of(1))).rejects.toMatchObject({ code: "lost" });
  });

  test("throws to its reader when the connection is cut", async () => {
    const { link, device } = await connected();
    device.terminate();
    await expect(readAll(link)).rejects.toMatchObject({ name: "LinkError", code: "lost" });
  });

  test("a device that sends text, or more than any terminal has to say, loses its link", async () => {
    const { link, device } = await connected();
    device.send("AA00");
    await expect(readAll(link)).rejects.toMatchObject({ code: "failed", message: expect.stringContaining("binary") });
    const other = await connected();
    other.device.send(new Uint8Array(70_000));
    await expect(readAll(other.link)).rejects.toBeInstanceOf(LinkError);
  });

  test("closing ends the reader, rejects what is written after it, and may be done twice", async () => {
    const { link } = await connected();
    const read = readAll(link);
    await Promise.all([link.close(), link.close()]);
    expect(await read).toEqual([]);
    await expect(link.write(Uint8Array.of(1))).rejects.toMatchObject({ code: "lost" });
  });

  test("a device that answers no ping is given up", async () => {
    const clock = createVirtualClock(0);
    const { link, device } = await connected(clock);
    const pinged = new Promise((resolve) => device.once("ping", resolve));
    await clock.advance(5_000);
    await pinged;
    await clock.advance(5_000);
    await expect(readAll(link)).rejects.toMatchObject({ code: "lost", message: expect.stringContaining("does not answer") });
  });

  test("a device that answers its pings is kept", async () => {
    const clock = createVirtualClock(0);
    const { link, device } = await connected(clock);
    for (let round = 0; round < 3; round += 1) {
      const pinged = new Promise((resolve) => device.once("ping", resolve));
      await clock.advance(5_000);
      await pinged;
      device.pong();
      // The pong is on its way through the system; a message behind it proves that it arrived.
      device.send(Uint8Array.of(round));
      const { value } = await link.incoming[Symbol.asyncIterator]().next();
      expect(value).toEqual(Uint8Array.of(round));
    }
  });

  test("nobody there, no WebSocket there, and nobody who answers in time are told apart", async () => {
    const gone = new WebSocketServer({ host: "127.0.0.1", port: 0 });
    await new Promise((resolve) => gone.once("listening", resolve));
    const port = portOf(gone);
    await new Promise((resolve) => gone.close(resolve));
    const address = { host: "127.0.0.1", path: "/" };
    await expect(openWebSocket({ ...address, port }, { connectMs: 5_000, clock: systemClock })).rejects.toMatchObject({ code: "refused" });
    const web = createServer((_request, response) => response.writeHead(404).end());
    servers.push(web);
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    await expect(openWebSocket({ ...address, port: portOf(web) }, { connectMs: 5_000, clock: systemClock })).rejects.toMatchObject({
      code: "refused",
      message: expect.stringContaining("HTTP 404"),
    });
    const silent = createServer();
    silent.on("upgrade", () => undefined);
    servers.push(silent);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const clock = createVirtualClock(0);
    const late = openWebSocket({ ...address, port: portOf(silent) }, { connectMs: 3_000, clock });
    const refused = expect(late).rejects.toMatchObject({ code: "timeout" });
    await clock.advance(3_000);
    await refused;
    silent.closeAllConnections();
  });

  test("an error of the network keeps its code", () => {
    expect(webSocketError("a:1", Object.assign(new Error("x"), { code: "ECONNRESET" }))).toMatchObject({ code: "lost" });
  });
});
