import { spawn } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";

const PROJECT = path.resolve(import.meta.dirname, "../..");
/** Half a minute of it is the time that the bridge takes to look a second time for what got lost. */
const LONG_MS = 240_000;

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function chaos(...argv: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, ["test/chaos/main.ts", ...argv], {
    cwd: PROJECT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, out, err })));
}

describe("npm run chaos", () => {
  it("finds no violation in a short run, and says what it did in its last line", { timeout: LONG_MS }, async () => {
    const { code, out } = await chaos("--payments", "4", "--shops", "1", "--seed", "21");
    const lines = out.trimEnd().split("\n");
    expect(lines.at(-1), out).toMatch(
      /^chaos: [0-9]+ payments, [0-9]+ kills, [0-9]+ faults, 0 violations \(seed 21, [0-9]+ s\)$/,
    );
    expect(lines.find((line) => line.startsWith("SALE: "))).toMatch(/APPROVED [0-9]/);
    expect(code).toBe(0);
  });

  it("ends with 2 and one line where it was called wrongly", async () => {
    const { code, out, err } = await chaos("--payments", "none");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^chaos: --payments none: .*for example: .*\n$/);
  });
});
