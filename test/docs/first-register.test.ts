import fs from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { killProgram, type Program, startCommand } from "../scenarios/program.ts";

/** The documents that a newcomer follows must work as they are written: their commands are run here, line by line. */
const readme = fs.readFileSync("README.md", "utf8");
const document = fs.readFileSync("docs/first-register.md", "utf8");

/** The commands that a section shows, in their order. */
function commandsOf(text: string, heading: string): readonly string[] {
  const [, section = ""] = text.split(`### ${heading}\n`);
  const [body = ""] = section.split(/^##/m);
  return [...body.matchAll(/^ {4}(\S.*)$/gm)].map(([, command]) => command ?? "");
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

/**
 * A newcomer's shell: a home folder of its own, ports that are free, and `npm run` and `npx` without npm's own start.
 */
async function openShell() {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-newcomer-"));
  onTestFinished(() => fs.rmSync(home, { recursive: true, force: true }));
  const ports = new Map([
    ["7717", String(await freePort())],
    ["7718", String(await freePort())],
  ]);
  const withPorts = (text: string): string => text.replace(/\b771[78]\b/g, (port) => ports.get(port) ?? port);
  const run = (command: string): Program => {
    const known = withPorts(command)
      .replace("npm run posbridge --", "node src/main.demo.ts")
      .replace("npx node", "node");
    const { PATH = "" } = process.env;
    const program = startCommand("sh", ["-c", known.includes("&&") ? known : `exec ${known}`], {
      cwd: process.cwd(),
      env: {
        PATH: `${path.dirname(process.execPath)}:${PATH}`,
        HOME: home,
        NODE_COMPILE_CACHE: path.resolve("node_modules/.cache/compiled"),
      },
    });
    onTestFinished(() => killProgram(program));
    return program;
  };
  const done = async (command: string): Promise<readonly string[]> => {
    const program = run(command);
    const { code } = await program.ended;
    expect({ command, code, err: program.err }).toEqual({ command, code: 0, err: [] });
    return program.out;
  };
  const edit = (file: string): void =>
    fs.writeFileSync(path.join(home, file), withPorts(fs.readFileSync(path.join(home, file), "utf8")));
  return { run, done, edit };
}

describe("README, connect a register", () => {
  it("makes a sale without hardware by the commands as they are written", async () => {
    const [folder = "", check = "", sandbox = "", simulate = "", bridge = "", token = "", sale = "", ...more] =
      commandsOf(readme, "With a configuration of your own");
    expect(more).toEqual([]);
    const { run, done, edit } = await openShell();
    await done(folder);
    edit("shop/posbridge.yaml");
    expect(await done(check)).toEqual(["ok"]);
    await Promise.all([run(sandbox).line(/sandbox gateway at/), run(simulate).line(/ on /)]);
    await run(bridge).line(/terminal is ready/);
    const [made = ""] = await done(token);
    const sold = (await done(sale.replace("TOKEN", made))).join("\n");
    expect(sold).toMatch(/^Insert, .*\bcard$/m);
    expect(sold).toContain("Approved: hand over the goods.");
    expect(sold).toMatch(/Amount +12\.34 EUR\n +APPROVED/);
  });

  it("begins with the demo, and with programs that are there", () => {
    const [demo, sale] = commandsOf(readme, "A first sale, without hardware");
    expect(demo).toBe("npm ci && npm run demo -- --origin http://127.0.0.1:8080");
    expect(sale).toBe("npx node examples/sale.mjs ws://127.0.0.1:7717/v1 TOKEN");
    for (const text of [readme, document]) expect(text).toContain(demo ?? "none");
    for (const [, file = ""] of `${readme}${document}`.matchAll(/\b(examples\/[a-z.]+[a-z])/g))
      expect(fs.existsSync(file), file).toBe(true);
  });
});

describe("docs/first-register.md", () => {
  it("shows the program that is in the examples", () => {
    expect(/^```js\n([\s\S]*?)^```$/m.exec(document)?.[1]).toBe(fs.readFileSync("examples/sale.mjs", "utf8"));
  });
});

describe("the first program", () => {
  it("says in one line that nobody listens at its address, and goes on trying", async () => {
    const program = startCommand(process.execPath, ["examples/sale.mjs", "ws://127.0.0.1:9/v1", "token"], {
      cwd: process.cwd(),
      env: {},
    });
    onTestFinished(() => killProgram(program));
    const told = /^No connection, trying again: /;
    await program.line(told);
    await program.line(told, program.out.findIndex((line) => told.test(line)) + 1);
    expect(program.err).toEqual([]);
  });
});
