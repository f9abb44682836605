import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { connectRegister, type RegisterClient } from "../../src/client/client.ts";
import { granted, refused } from "../../src/payment/fact/refusal.ts";
import { startBridge } from "./bridge.ts";

/** A bridge, and a client of a technician and of a till, over real sockets. */
async function open() {
  const bridge = await startBridge();
  onTestFinished(() => bridge[Symbol.asyncDispose]());
  const connect = async (token: string): Promise<RegisterClient> => {
    const client = await connectRegister({ url: bridge.url, token, after: undefined });
    onTestFinished(() => client.close());
    return client;
  };
  return { bridge, technician: await connect("desk-token"), till: await connect("till-token") };
}

const bar = { id: "bar", model: "miura-m020", connection: { serial: "/dev/ttyACM1" }, terminalId: "20000001" };

it("a register without the scope changes no terminal and sees no devices", async () => {
  const { bridge, till } = await open();
  const calls = [
    () => till.scanTerminals(),
    () => till.terminalModels(),
    () => till.pairTerminal(bar),
    () => till.renameTerminal("till-1", "x"),
    () => till.replaceTerminal({ terminal: "till-1" }),
    () => till.unpairTerminal("till-1"),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "forbidden", advice: "fix-config" });
  expect(bridge.pairing.asked).toEqual([]);
});

it("a technician's calls arrive with who asks, and their answers come typed", async () => {
  const { bridge, technician } = await open();
  expect(await technician.scanTerminals()).toMatchObject([
    { connection: { serial: "/dev/ttyACM0" }, usedBy: "till-1", likely: [{ model: "miura-m020" }] },
  ]);
  expect(await technician.terminalModels()).toMatchObject([
    { id: "miura-m020", connections: ["serial", "tcp"], options: [{ name: "baudRate" }] },
  ]);
  bridge.pairing.proof = granted({ serialNumber: "S-9", warnings: ["no keys yet"] });
  expect(await technician.renameTerminal("till-1", "Entrance")).toMatchObject({
    id: "till-1",
    label: "Entrance",
    paired: false,
  });
  expect(await technician.replaceTerminal({ terminal: "till-1", deviceId: "12" })).toMatchObject({
    terminal: { id: "till-1" },
    warnings: ["no keys yet"],
  });
  await expect(technician.unpairTerminal("till-1")).rejects.toMatchObject({
    code: "not-allowed",
    advice: "fix-config",
  });
  expect(bridge.pairing.asked).toEqual([
    { by: "register till", what: "rename", terminal: "till-1", request: { label: "Entrance" } },
    { by: "register till", what: "replace", terminal: "till-1", request: { deviceId: "12" } },
    { by: "register till", what: "unpair", terminal: "till-1" },
  ]);
});

it("what is refused or wrong is told by its code and its field, and a label is no place for a card number", async () => {
  const { bridge, technician } = await open();
  bridge.pairing.proof = { ok: false, invalid: { path: "connection.serial", message: "must be an absolute path" } };
  await expect(technician.pairTerminal(bar)).rejects.toMatchObject({
    code: "invalid-params",
    path: "connection.serial",
    message: "connection.serial must be an absolute path",
  });
  bridge.pairing.proof = refused("terminal-offline", "nothing answered at serial /dev/ttyACM1", "retry", "connection");
  await expect(technician.pairTerminal(bar)).rejects.toMatchObject({
    code: "terminal-offline",
    path: "connection",
    advice: "retry",
  });
  await expect(technician.pairTerminal({ ...bar, label: "4761340000000050" })).rejects.toMatchObject({
    code: "card-number-in-text",
  });
  const { terminalId: _, ...without } = bar;
  await expect(technician.call("terminals.pair", without, z.unknown())).rejects.toMatchObject({
    code: "invalid-params",
    path: "terminalId",
  });
});
