import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runProgram } from "../../../src/commands/program.ts";
import { sandboxCommand } from "../../../src/commands/sandbox.ts";
import { recordedOutput } from "./recorded-output.ts";

async function run(argv: readonly string[], stopped: Promise<void> = Promise.resolve()) {
  const output = { ...recordedOutput(), stopped };
  const code = await runProgram(
    { name: "posbridge", description: "", commands: [sandboxCommand] },
    ["sandbox", ...argv],
    output,
    false,
  );
  return { code, out: output.stdout.join("\n"), err: output.stderr.join("\n") };
}

describe("sandbox", () => {
  test("--help prints the magic amounts and ends with an example", async () => {
    const { code, out } = await run(["--help"]);
    expect(code).toBe(0);
    expect(out).toContain("9100.05  800.100.152: do not honour");
    expect(out.trimEnd().split("\n").at(-1)).toContain("posbridge sandbox --port");
  });

  test("serves until it is asked to stop, and keeps its ledger where it is told to", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sandbox-command-"));
    const { code, out } = await run([
      "--port",
      "0",
      "--data",
      join(folder, "deep", "data"),
      "--entity",
      "0".repeat(32),
      "--token",
      "other-token",
    ]);
    expect(code).toBe(0);
    expect(out).toMatch(/sandbox gateway at http:\/\/127\.0\.0\.1:[0-9]+\//);
    expect(out).toContain("8a8294174b7ecb28014b9699220015ca");
    expect(out).toContain("other-token");
    expect(existsSync(join(folder, "deep", "data", "sandbox.db"))).toBe(true);
    rmSync(folder, { recursive: true });
  });

  test("says which port is in use and what to do", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" ? address?.port : undefined;
    expect(await run(["--port", String(port)])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`--port ${port}: the port is in use`),
    });
    other.close();
  });

  test.each([
    [["--port", "70000"], "--port 70000"],
    [["--port", "http"], "--port http"],
    [["--entity", "0".repeat(32)], "give each entity its token"],
    [["--entity", "ABC", "--token", "t"], "--entity ABC"],
    [["--entity", "0".repeat(32), "--token", "a b"], "--token"],
    [["--bdk", "00112233445566778899AABBCCDDEEFF"], "only the published X9.24 test key"],
    [["--decline-status", "500"], "--decline-status"],
    [["--data", "/dev/null/data"], "--data /dev/null/data"],
  ])("%j is wrong usage", async (argv, named) => {
    const { code, err } = await run(["--port", "0", ...argv]);
    expect(code).toBe(2);
    expect(err).toContain(named);
    expect(err.split("\n")).toHaveLength(1);
  });

  test("takes the published test key by name", async () => {
    expect((await run(["--port", "0", "--bdk", "0123456789abcdeffedcba9876543210"])).code).toBe(0);
  });
});
