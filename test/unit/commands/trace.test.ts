import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { miuraM020 } from "../../../drivers/miura-m020/driver.ts";
import { runProgram } from "../../../src/commands/program.ts";
import { terminalsCommand } from "../../../src/commands/terminals.ts";
import { serveControl } from "../../../src/control/server.ts";
import { traceHandlers } from "../../../src/control/trace.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { createTrace, type Trace } from "../../../src/terminal/trace.ts";
import { refusingHandlers } from "../../support/refusing-handlers.ts";
import { recordedOutput } from "./recorded-output.ts";

/** A data folder with a daemon of which only the traces matter. */
async function daemon() {
  const dataDir = fs.mkdtempSync(path.join(tmpdir(), "posbridge-trace-"));
  const plain = createTrace({ model: miuraM020, transport: "serial", clock: systemClock });
  // Something goes over the line as soon as somebody listens, and then the trace goes off.
  const trace: Trace = {
    ...plain,
    begin: (forMs) => {
      begun.push(forMs);
      plain.begin(forMs);
      plain.opened();
      plain.received(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff));
    },
    read: (after) => {
      const entries = plain.read(after);
      if (after > 0) plain.end();
      return entries;
    },
  };
  const begun: number[] = [];
  const logged: object[] = [];
  const server = await serveControl({
    ...{ dataDir, clock: systemClock, problem: (error: unknown) => expect(error).toBeUndefined() },
    handlers: {
      ...refusingHandlers,
      ...traceHandlers(new Map([["till-1", trace]]), { info: (fields) => void logged.push(fields) }),
    },
  });
  onTestFinished(async () => {
    await server.close();
    plain.end();
    fs.rmSync(dataDir, { recursive: true });
  });
  return { dataDir, begun, logged };
}

async function traced(...argv: readonly string[]) {
  const output = recordedOutput();
  const line = { name: "posbridge", description: "", commands: [() => terminalsCommand(output, [])] };
  const code = await runProgram(line, ["terminals", "trace", ...argv], output, false);
  return { code, stdout: output.stdout, stderr: output.stderr };
}

describe("terminals trace", () => {
  it("prints what goes over the line until the trace goes off, and leaves in the log who asked", async () => {
    const { dataDir, begun, logged } = await daemon();
    const { code, stdout, stderr } = await traced("till-1", "--minutes", "3", "--data", dataDir);
    expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
    expect(stdout).toEqual([
      expect.stringMatching(/^20.*Z -- link opened$/),
      expect.stringMatching(/^20.*Z <- bytes that are no frame$/),
    ]);
    expect(begun).toEqual([180_000]);
    expect(logged).toEqual([{ audit: true, terminal: "till-1", by: expect.any(String), minutes: 3 }]);
  });

  it("prints JSON lines where asked", async () => {
    const { dataDir } = await daemon();
    const { stdout } = await traced("till-1", "--json", "--data", dataDir);
    expect(stdout.map((line) => JSON.parse(line))).toMatchObject([
      { n: 1, direction: "link", frame: "link opened", objects: [] },
      { n: 2, direction: "received" },
    ]);
  });

  it.each(["0", "16", "1.5", "x"])("takes no %s minutes", async (minutes) => {
    expect(await traced("till-1", "--minutes", minutes, "--data", "/nowhere")).toEqual({
      ...{ code: 2, stdout: [] },
      stderr: [`posbridge: --minutes ${minutes}: use a number from 1 to 15`],
    });
  });

  it("names the terminals that there are, and says where no daemon runs", async () => {
    const { dataDir } = await daemon();
    const { code, stderr } = await traced("till-9", "--data", dataDir);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: ['posbridge: terminal "till-9" is not configured here; it is one of till-1'],
    });
    const empty = fs.mkdtempSync(path.join(tmpdir(), "posbridge-trace-"));
    onTestFinished(() => fs.rmSync(empty, { recursive: true }));
    expect(await traced("till-1", "--data", empty)).toMatchObject({
      code: 1,
      stderr: [expect.stringMatching(/^posbridge: no daemon runs on /)],
    });
  });
});
