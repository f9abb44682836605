import { once } from "node:events";
import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { simulators } from "../../../drivers/simulators.ts";
import { deck } from "../../../packages/sandbox/testbed/deck.ts";
import { runProgram } from "../../../src/commands/program.ts";
import { simulateCommand } from "../../../src/commands/simulate.ts";
import type { Platform } from "../../../src/kit/platform.ts";
import { recordedOutput } from "./recorded-output.ts";

async function run(argv: readonly string[], stopped: Promise<void> = Promise.resolve(), platform?: Platform) {
  const output = { ...recordedOutput(), stopped };
  const code = await runProgram(
    { name: "posbridge", description: "", commands: [(to) => simulateCommand(to, platform)] },
    ["simulate", ...argv],
    output,
    false,
  );
  return { code, out: output.stdout.join("\n"), err: output.stderr.join("\n") };
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "simulate-command-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

async function portInUse(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe("simulate", () => {
  test("--help ends with an example", async () => {
    const { code, out } = await run(["--help"]);
    expect(code).toBe(0);
    expect(out.trimEnd().split("\n").at(-1)).toContain("posbridge simulate miura-m020 --pty");
  });

  test("--list shows models, what of them is confirmed, and every card", async () => {
    const { code, out } = await run(["--list"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^miura-m020 {2}Miura M020/);
    expect(out).toContain("inferred   SRED data");
    for (const { name } of deck) expect(out).toContain(name);
  });

  test("--list --json is for programs", async () => {
    const { out } = await run(["--list", "--json"]);
    const listed = z
      .object({ models: z.array(z.object({ id: z.string() })), cards: z.array(z.object({ name: z.string() })) })
      .parse(JSON.parse(out));
    expect(listed.models.map(({ id }) => id)).toEqual(simulators.map(({ id }) => id));
    expect(listed.cards.map(({ name }) => name)).toEqual(deck.map(({ name }) => name));
  });

  test("--pace takes quick and real, and nothing else", async () => {
    const { code, err } = await run(["miura-m020", "--tcp", "0", "--pace", "slow"]);
    expect(code).toBe(2);
    expect(err).toMatch(/--pace.*'slow' is invalid.*quick, real/);
    for (const pace of ["quick", "real"])
      expect(await run(["miura-m020", "--tcp", "0", "--pace", pace])).toMatchObject({ code: 0, err: "" });
  });

  test("serves a pseudo-terminal and its control until it is asked to stop, and says where in one line", async () => {
    const path = join(folder(), "till-1");
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
    const running = run(
      ["miura-m020", "--pty", path, "--control", "0", "--card", "mastercard-contact", "--serial", "20000001"],
      stopped,
    );
    await expect.poll(() => existsSync(path)).toBe(true);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    stop();
    const { code, out } = await running;
    expect(code).toBe(0);
    expect(out).toMatch(
      /^Miura M020 20000001 on \S+till-1, control at http:\/\/127\.0\.0\.1:[0-9]+\/ \(presents mastercard-contact\)$/,
    );
    expect(existsSync(path)).toBe(false);
  });

  test("serves a TCP port, and keeps its counters where it is told to", async () => {
    const state = join(folder(), "state.json");
    writeFileSync(state, '{"cards":{"visa-contact":{"atc":7,"typed":7}},"ksn":{}}');
    const { code, out } = await run(["miura-m020", "--tcp", "0", "--manual", "--state", state]);
    expect(code).toBe(0);
    expect(out).toMatch(/^Miura M020 10000496 on 127\.0\.0\.1:[0-9]+ \(waits for card and keys\)$/);
    expect(readFileSync(state, "utf8")).toContain('"atc":7');
    const port = Number(/:([0-9]+) /.exec(out)?.[1]);
    const refused = createConnection({ port, host: "127.0.0.1" });
    await expect(once(refused, "connect")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  test.each([
    [[], "name a model: miura-m020"],
    [["pax"], 'no model is called "pax"; choose one of miura-m020'],
    [["miura-m020"], "give one of --pty PATH, --tcp PORT and --gadget PATH"],
    [["miura-m020", "--pty", "x", "--tcp", "0"], "give one of --pty PATH, --tcp PORT and --gadget PATH"],
    [["miura-m020", "--tcp", "70000"], "--tcp 70000: must be a number from 0 to 65535"],
    [["miura-m020", "--tcp", "0", "--control", "x"], "--control x: must be a number from 0 to 65535"],
    [
      ["miura-m020", "--tcp", "0", "--card", "joker"],
      '--card: no card is called "joker"; choose one of visa-contact, ',
    ],
    [["miura-m020", "--tcp", "0", "--serial", "12"], "--serial 12: must be eight digits"],
    [["miura-m020", "--tcp", "0", "--state", "package.json"], "--state: package.json is not a simulator's state"],
    [["miura-m020", "--pty", "package.json"], "--pty: package.json is there already"],
    [
      ["miura-m020", "--gadget", "/dev/null"],
      "--gadget: /dev/null is no gadget's file: name /dev/hidgN or /dev/ttyGSN",
    ],
    [["miura-m020", "--gadget", "/dev/ttyGS77"], "--gadget: there is no /dev/ttyGS77: set up the gadget (configfs)"],
    [["miura-m020", "--pty", "no/such/folder/till"], "--pty: no/such/folder"],
  ])("%j is wrong usage", async (argv, problem) => {
    const { code, err, out } = await run(argv);
    expect(code).toBe(2);
    expect(err).toContain(problem);
    expect(err.split("\n")).toHaveLength(1);
    expect(out).toBe("");
  });

  test("on Windows a pseudo-terminal is refused before anything is made, and the refusal names --tcp", async () => {
    const path = join(folder(), "till-1");
    const { code, err, out } = await run(["miura-m020", "--pty", path], Promise.resolve(), "windows");
    expect({ code, err, out }).toEqual({
      code: 2,
      err: `posbridge: --pty ${path}: Windows has no pseudo-terminals; give --tcp PORT instead`,
      out: "",
    });
    expect(existsSync(path)).toBe(false);
    expect(await run(["miura-m020", "--tcp", "0"], Promise.resolve(), "windows")).toMatchObject({ code: 0, err: "" });
  });

  test.each(["--tcp", "--control"])("says which port %s found in use, and leaves nothing behind", async (option) => {
    const port = await portInUse();
    const path = join(folder(), "till-1");
    const { code, err } = await run(
      option === "--tcp"
        ? ["miura-m020", "--tcp", String(port)]
        : ["miura-m020", "--pty", path, "--control", String(port)],
    );
    expect(code).toBe(2);
    expect(err).toContain(`${option} ${port}: the port is in use`);
    expect(existsSync(path)).toBe(false);
  });
});
