import { createServer, type Server } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { fromHex } from "../../../src/kit/hex.ts";
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
async function connected(
  clock = systemClock,
): Promise<{ readonly link: Link; readonly device: WebSocket; readonly path: string }> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, autoPong: clock === systemClock });
  servers.push(server);
  const arrived = Promise.withResolvers<{ readonly device: WebSocket; readonly path: string }>();
  server.on("connection", (device, request) => arrived.resolve({ device, path: request.url ?? "" }));
  await new Promise((resolve) => server.once("listening", resolve));
  const link = await openWebSocket(
    { host: "127.0.0.1", port: portOf(server), path: "/device" },
    { connectMs: 5_000, clock },
  );
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
    const heard = new Promise<readonly [unknown, boolean]>((resolve) =>
      device.once("message", (data, isBinary) => resolve([data, isBinary])),
    );
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

  test("a device's text in hexadecimal digits is a message like any other", async () => {
    const { link, device } = await connected();
    device.send("AA008104");
    device.send("aa00");
    device.close();
    expect(await readAll(link)).toEqual([fromHex("AA008104"), fromHex("AA00")]);
  });

  test("a device that sends text, or more than any terminal has to say, loses its link", async () => {
    const { link, device } = await connected();
    device.send("hello");
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
    await expect(readAll(link)).rejects.toMatchObject({
      code: "lost",
      message: expect.stringContaining("does not answer"),
    });
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
    await expect(openWebSocket({ ...address, port }, { connectMs: 5_000, clock: systemClock })).rejects.toMatchObject({
      code: "refused",
    });
    const web = createServer((_request, response) => response.writeHead(404).end());
    servers.push(web);
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    await expect(
      openWebSocket({ ...address, port: portOf(web) }, { connectMs: 5_000, clock: systemClock }),
    ).rejects.toMatchObject({
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

  test.each([
    [1008, "refuses this bridge as a client"],
    [1009, "no message as long as ours"],
    [1013, "takes no client now"],
    [4711, "with code 4711"],
  ])("a device that closes with code %i says why, and its own words are left out", async (code, words) => {
    const { link, device } = await connected();
    device.close(code, "4761739001010119");
    const error: unknown = await readAll(link).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: "lost", message: expect.stringContaining(words) });
    expect(String(error)).not.toContain("4761");
  });

  test("one that goes away, or is done, has hung up", async () => {
    for (const code of [1000, 1001]) {
      const { link, device } = await connected();
      device.close(code);
      expect(await readAll(link)).toEqual([]);
    }
  });

  test("a message that is too long is told as such", async () => {
    const { link, device } = await connected();
    device.send(new Uint8Array(70_000));
    await expect(readAll(link)).rejects.toMatchObject({
      code: "failed",
      message: expect.stringContaining("more than 65536 bytes"),
    });
  });

  test.each([
    ["hangs up", "", "hung up on the WebSocket handshake"],
    ["answers in TLS", "\x15\x03\x01\x00\x02\x02\x46", "no sensible answer"],
    [
      "is a WebSocket of another kind",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n",
      "no sensible answer",
    ],
  ])("what %s is told with the mend: TLS is not built", async (_what, answer, words) => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => (answer === "" ? socket.destroy() : socket.end(Buffer.from(answer, "latin1"))));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const error: unknown = await openWebSocket(
      { host: "127.0.0.1", port, path: "/" },
      { connectMs: 5_000, clock: systemClock },
    ).catch((cause: unknown) => cause);
    server.close();
    expect(error).toMatchObject({ name: "LinkError", code: "refused", message: expect.stringContaining(words) });
    expect(String(error)).toContain("TLS");
  });

  test("an address that is none, and a name that nobody knows, are told as such", async () => {
    const options = { connectMs: 5_000, clock: systemClock };
    await expect(openWebSocket({ host: "999.1.1.1", port: 80, path: "/" }, options)).rejects.toMatchObject({
      name: "LinkError",
      message: "999.1.1.1:80 is no address; check connection.websocket",
    });
    expect(webSocketError("a:1", Object.assign(new Error("x"), { code: "ENOTFOUND" }))).toMatchObject({
      code: "not-found",
    });
  });

  test("an error of the network keeps its code", () => {
    expect(webSocketError("a:1", Object.assign(new Error("x"), { code: "ECONNRESET" }))).toMatchObject({
      code: "lost",
    });
  });
});
