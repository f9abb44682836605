import { createConnection, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { miuraM020Simulator } from "../../../drivers/miura-m020/simulator.ts";
import { fromHex } from "../../../src/kit/hex.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import type { SimulatedTerminal } from "../../../src/simulator/simulated-terminal.ts";
import { serveTcp } from "../../../src/simulator/tcp-listener.ts";

const POWERED_ON = "01401AE616C30101C41144657669636520706F7765726564206F6E90006A";
const KEYS = "010009E105DFAE01010690000B";

async function serve(): Promise<{ readonly terminal: SimulatedTerminal; readonly port: number }> {
  const terminal = miuraM020Simulator.create({ clock: systemClock, random: seededRandom(1), automatic: undefined });
  const listener = await serveTcp(terminal, 0);
  onTestFinished(() => listener.close());
  return { terminal, port: listener.port };
}

interface Host {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  until(hex: string): Promise<void>;
}

function connect(port: number): Host {
  const socket = createConnection({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  let got = "";
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.on("data", (bytes) => {
    got += bytes.toString("hex").toUpperCase();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => resolve());
  return { socket, closed, until: (hex) => expect.poll(() => got, { interval: 2 }).toBe(hex) };
}

test("a host is greeted and answered", async () => {
  const { port } = await serve();
  const host = connect(port);
  await host.until(POWERED_ON);
  host.socket.write(fromHex("010004EEE000000B"));
  await host.until(POWERED_ON + KEYS);
});

test("a second host takes the line from the first, and a third is served when both are gone", async () => {
  const { port } = await serve();
  const first = connect(port);
  await first.until(POWERED_ON);
  const second = connect(port);
  await first.closed;
  await second.until(POWERED_ON);
  second.socket.destroy();
  const third = connect(port);
  await third.until(POWERED_ON);
});

test("unplugging closes the connection and every new one, until it is plugged in again", async () => {
  const { terminal, port } = await serve();
  const host = connect(port);
  await host.until(POWERED_ON);
  terminal.fault("unplug");
  await host.closed;
  await connect(port).closed;
  terminal.fault("plug");
  await connect(port).until(POWERED_ON);
});

test("a port that is in use is an error with its code", async () => {
  const { terminal, port } = await serve();
  await expect(serveTcp(terminal, port)).rejects.toMatchObject({ code: "EADDRINUSE" });
});
