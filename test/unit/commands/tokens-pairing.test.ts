import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../../src/commands/program.ts";
import { tokensCommand } from "../../../src/commands/tokens.ts";
import { registerHandlers } from "../../../src/control/registers.ts";
import { serveControl } from "../../../src/control/server.ts";
import { openJournal } from "../../../src/journal/sqlite-journal.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import type { PairingDecision } from "../../../src/register/pairing/desk.ts";
import { fakeRegisters } from "../../contract/fake-registers.ts";
import { refusingHandlers } from "../../support/refusing-handlers.ts";
import { recordedOutput } from "./recorded-output.ts";

async function tokens(...argv: readonly string[]) {
  const output = recordedOutput();
  const commands = [() => tokensCommand(output)];
  const code = await runProgram({ name: "posbridge", description: "", commands }, ["tokens", ...argv], output, false);
  return { code, stdout: output.stdout, stderr: output.stderr };
}

/** A data folder, and a bridge on it at which a register waits. */
async function waiting() {
  const dataDir = fs.mkdtempSync(path.join(tmpdir(), "posbridge-pairing-"));
  const journal = await openJournal({ dataDir, environment: "test", clock: systemClock, random: systemRandom });
  const { registers } = fakeRegisters(systemClock, ["till-7"]);
  const handlers = { ...refusingHandlers, ...registerHandlers(registers, () => undefined) };
  const problem = (error: unknown): void => expect(error).toBeUndefined();
  const server = await serveControl({ dataDir, clock: systemClock, handlers, problem });
  const stop = async (): Promise<void> => {
    await server.close();
    await journal.close();
  };
  const decisions: PairingDecision[] = [];
  const request = { code: "K7M2QX", name: "till-7", key: "k", from: "127.0.0.1:50000", address: "ws://127.0.0.1:7717" };
  const asked = registers.ask({ ...request, origin: "https://till.example" }, (decision) => decisions.push(decision));
  onTestFinished(() => {
    if (asked.ok) asked.value.leave();
    fs.rmSync(dataDir, { recursive: true });
  });
  return { dataDir, decisions, stop };
}

it("shows who waits, and that the name is a register's already; approves with scopes; refuses a wrong code", async () => {
  const { dataDir, decisions, stop } = await waiting();
  const shown = await tokens("pending", "--data", dataDir);
  expect(shown.stdout[1]).toMatch(
    /^K7M2QX {2}till-7 {2}https:\/\/till\.example {2}127\.0\.0\.1:50000 {2}[45] min \d+ s$/,
  );
  expect(shown.stderr).toEqual([expect.stringContaining("till-7 has a token or key already")]);
  expect(await tokens("approve", "K7M2QY", "--data", dataDir)).toMatchObject({
    code: 1,
    stderr: [expect.stringContaining("compare it with the code that the register shows")],
  });
  expect(await tokens("approve", "k7m-2qx", "--scope", "payments", "--data", dataDir)).toMatchObject({
    code: 0,
    stdout: ["paired register till-7 of https://till.example (payments)"],
  });
  expect(decisions).toEqual([{ is: "paired", register: "till-7", scopes: ["payments"] }]);
  await stop();
});

it("refuses a register, and says that none waits then", async () => {
  const { dataDir, decisions, stop } = await waiting();
  const refused = await tokens("refuse", "K7M2QX", "--data", dataDir);
  expect(refused.stdout).toEqual(["refused register till-7 of https://till.example"]);
  expect(decisions).toEqual([{ is: "refused", reason: "refused" }]);
  expect((await tokens("refuse", "K7M2QX", "--data", dataDir)).stderr[0]).toContain("no register waits");
  await stop();
});

it("says that only a running bridge knows who waits, where none runs", async () => {
  const { dataDir, stop } = await waiting();
  await stop();
  for (const command of ["approve", "refuse"])
    expect(await tokens(command, "K7M2QX", "--data", dataDir)).toMatchObject({
      code: 1,
      stderr: [expect.stringContaining("only a running one knows who waits: start it")],
    });
});
