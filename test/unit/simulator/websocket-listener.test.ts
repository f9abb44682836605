import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { magtekDynaflexSimulator } from "../../../drivers/magtek-dynaflex/simulator.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import type { SimulatedTerminal } from "../../../src/simulator/simulated-terminal.ts";
import { serveWebSocket } from "../../../src/simulator/websocket-listener.ts";

/** Echo, and its answer, of the maker's manual. */
const ECHO = "AA0081040101DF018407DF018103010203";
const ECHOED = "AA0081048201DF018204000000008407DF018103010203";

async function serve(): Promise<{ readonly terminal: SimulatedTerminal; readonly port: number }> {
  const terminal = magtekDynaflexSimulator.create({
    clock: systemClock,
    random: seededRandom(1),
    automatic: undefined,
  });
  const listener = await serveWebSocket(terminal, 0);
  onTestFinished(() => listener.close());
  return { terminal, port: listener.port };
}

interface Host {
  readonly socket: WebSocket;
  readonly opened: Promise<unknown>;
  readonly closed: Promise<number>;
  readonly heard: readonly string[];
}

function connect(port: number): Host {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
  onTestFinished(() => socket.terminate());
  const heard: string[] = [];
  const { promise: closed, resolve } = Promise.withResolvers<number>();
  socket.on("message", (data) => void (Buffer.isBuffer(data) && heard.push(toHex(new Uint8Array(data)))));
  socket.on("error", () => undefined);
  socket.on("close", (code) => resolve(code));
  return { socket, opened: new Promise((open) => socket.once("open", open)), closed, heard };
}

test("a host is answered in binary messages", async () => {
  const { port } = await serve();
  const host = connect(port);
  await host.opened;
  host.socket.send(fromHex(ECHO));
  await expect.poll(() => host.heard, { interval: 2 }).toEqual([ECHOED]);
});

test("a host that sends hexadecimal text, as the maker's own does, is answered as well", async () => {
  const { port } = await serve();
  const host = connect(port);
  await host.opened;
  host.socket.send(ECHO);
  host.socket.send(ECHO.toLowerCase());
  await expect.poll(() => host.heard, { interval: 2 }).toEqual([ECHOED, ECHOED]);
});

test("a second host takes the line from the first, and one that sends text is sent away", async () => {
  const { port } = await serve();
  const first = connect(port);
  await first.opened;
  const second = connect(port);
  await first.closed;
  await second.opened;
  second.socket.send("hello");
  expect(await second.closed).toBe(1003);
});

test("unplugging closes the connection and every new one, until it is plugged in again", async () => {
  const { terminal, port } = await serve();
  const host = connect(port);
  await host.opened;
  terminal.fault("unplug");
  await host.closed;
  await connect(port).closed;
  terminal.fault("plug");
  const again = connect(port);
  await again.opened;
  again.socket.send(fromHex(ECHO));
  await expect.poll(() => again.heard, { interval: 2 }).toEqual([ECHOED]);
});

test("a port that is taken is told by its code", async () => {
  const { terminal, port } = await serve();
  await expect(serveWebSocket(terminal, port)).rejects.toMatchObject({ code: "EADDRINUSE" });
});
