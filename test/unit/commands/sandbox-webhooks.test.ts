import { once } from "node:events";
import fs from "node:fs";
import { createServer } from "node:http";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSandboxStore } from "../../../packages/sandbox/gateway/ledger/store.ts";
import { createSandbox } from "../../../packages/sandbox/gateway/sandbox.ts";
import { type SandboxServer, serveSandbox } from "../../../packages/sandbox/gateway/server.ts";
import { runProgram } from "../../../src/commands/program.ts";
import { sandboxCommand } from "../../../src/commands/sandbox.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { recordedOutput } from "./recorded-output.ts";

const KEY = "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F";

let server: SandboxServer;
beforeAll(async () => {
  const store = openSandboxStore(":memory:");
  const sandbox = createSandbox({
    ...{ clock: systemClock, random: seededRandom(1), store, entities: [] },
    send: async ({ url }) =>
      url.includes("down") ? { ok: false, problem: "connect ECONNREFUSED" } : { ok: true, status: 200 },
  });
  server = await serveSandbox(sandbox, 0, () => undefined);
});
afterAll(() => server.close());

async function run(...argv: readonly string[]) {
  const output = { ...recordedOutput(), stopped: Promise.resolve() };
  const line = { name: "posbridge", description: "", commands: [sandboxCommand] };
  const code = await runProgram(line, ["sandbox", "webhooks", ...argv, "--port", String(server.port)], output, false);
  return { code, out: output.stdout.join("\n"), err: output.stderr.join("\n") };
}

const idIn = (text: string): string => /[0-9a-f]{32}/.exec(text)?.[0] ?? "";

describe("sandbox webhooks", () => {
  test("add, list, test and remove one", async () => {
    const added = await run(
      "add",
      "https://shop.example/hooks",
      "--key",
      KEY,
      "--wrapper",
      "json",
      "--fields",
      "non-customer-data",
      "--events",
      "PAYMENT,RISK",
    );
    const id = idIn(added.out);
    expect(added).toEqual({ code: 0, out: `webhook ${id} is active`, err: "" });
    const listed = await run("list");
    expect(listed.out).toMatch(
      new RegExp(`${id}  yes +0 +json +NON_CUSTOMER_DATA +PAYMENT,RISK +https://shop.example/hooks`),
    );
    expect(listed.out).not.toContain(KEY);
    expect(JSON.parse((await run("list", "--json")).out)).toMatchObject({ webhooks: [{ id, active: true }] });
    expect(JSON.parse((await run("test", id, "--json")).out)).toMatchObject({
      id,
      active: true,
      test: { status: 200 },
    });
    expect(await run("remove", id)).toEqual({ code: 0, out: `removed webhook ${id}`, err: "" });
    expect(await run("remove", id)).toMatchObject({
      code: 1,
      err: `posbridge: there is no webhook ${id}: GET webhooks lists them`,
    });
  });

  describe("with the key in a file, where no list of processes shows it", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-key-"));
    afterAll(() => fs.rmSync(folder, { recursive: true }));
    const fileOf = (text: string): string => {
      const file = path.join(folder, "webhook-key");
      fs.writeFileSync(file, text);
      return file;
    };

    test("add one", async () => {
      const added = await run(
        "add",
        "https://file.example/",
        "--key-file",
        fileOf(`${KEY}\n`),
        "--events",
        "PAYMENT, RISK",
      );
      expect(added).toMatchObject({ code: 0, out: expect.stringMatching(/is active$/) });
      expect((await run("list")).out).toMatch(/PAYMENT,RISK +https:\/\/file.example/);
    });

    test.each([
      ["one that holds something else", () => ["--key-file", fileOf(`${KEY}00`)], "must be 64 hexadecimal digits"],
      [
        "one that is not there",
        () => ["--key-file", "/nowhere/webhook-key"],
        "--key-file /nowhere/webhook-key: cannot be read (ENOENT)",
      ],
      ["a key besides", () => ["--key-file", fileOf(KEY), "--key", KEY], "--key and --key-file: give one of them"],
      ["neither", () => [], "--key-file"],
    ])("%s is wrong usage", async (_, options, named) => {
      const { code, err } = await run("add", "https://file.example/", ...options());
      expect(code).toBe(2);
      expect(err).toContain(named);
      expect(err).not.toContain(KEY);
    });
  });

  test("keep one whose test delivery failed, say why, and what to do", async () => {
    const { code, out, err } = await run("add", "https://down.example/", "--key", KEY);
    expect(code).toBe(1);
    expect(out).toBe(`webhook ${idIn(out)} is not active`);
    expect(err).toContain("failed: connect ECONNREFUSED; mend the receiver, then run: posbridge sandbox webhooks test");
    expect((await run("list")).out).toContain("https://down.example/");
  });

  test.each([
    [["add", "https://shop.example/", "--key", "12"], "key: must be 64 hexadecimal digits"],
    [["add", "shop", "--key", KEY], "url: must be an http or https address"],
    [["add", "https://shop.example/"], "--key"],
    [["add", "https://shop.example/", "--key", KEY, "--wrapper", "xml"], "--wrapper"],
    [["add", "https://shop.example/", "--key", KEY, "--events", "PAYMENT,NONE"], "events.1"],
    [["remove", "../faults"], "../faults is not the id of a webhook"],
  ])("%j is wrong usage", async (argv, named) => {
    const { code, err } = await run(...argv);
    expect(code).toBe(2);
    expect(err).toContain(named);
    expect(err.split("\n")).toHaveLength(1);
    expect(err).not.toContain(KEY);
  });

  test.each([
    ["<html>", "no sandbox answers at port"],
    ["{}", "is no sandbox of this version"],
  ])("say that no sandbox is there where a program answers %s", async (content, named) => {
    const other = createServer((_, response) => response.end(content)).listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const output = { ...recordedOutput(), stopped: Promise.resolve() };
    const line = { name: "posbridge", description: "", commands: [sandboxCommand] };
    expect(await runProgram(line, ["sandbox", "webhooks", "list", "--port", port], output, false)).toBe(1);
    expect(output.stderr.join()).toContain(named);
    expect(output.stderr.join()).toContain(port);
    other.close();
  });

  test("--help of each ends with an example", async () => {
    for (const command of ["add", "list", "remove", "test"])
      expect((await run(command, "--help")).out).toContain("Example:");
  });
});
