import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../../src/commands/program.ts";
import { tokensCommand } from "../../../src/commands/tokens.ts";
import { serveControl } from "../../../src/control/server.ts";
import { tokenHandlers } from "../../../src/control/tokens.ts";
import { isDamage, mendOf } from "../../../src/journal/sqlite-error.ts";
import { openJournal } from "../../../src/journal/sqlite-journal.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { tokensProblem } from "../../../src/register/tokens/token-database.ts";
import { openTokens } from "../../../src/register/tokens/tokens.ts";
import { refusingHandlers } from "../../support/refusing-handlers.ts";
import { readOnly, smallDisk } from "../journal/mounted.ts";
import { recordedOutput } from "./recorded-output.ts";

const TOKEN = /^pbt_[A-Za-z0-9_-]{43}$/;

function folder(): string {
  const made = fs.mkdtempSync(path.join(tmpdir(), "posbridge-tokens-"));
  onTestFinished(() => fs.rmSync(made, { recursive: true }));
  return made;
}

/** The command's own line, with the output that the test reads. */
async function tokens(...argv: readonly string[]) {
  const output = recordedOutput();
  const code = await runProgram(
    { name: "posbridge", description: "", commands: [() => tokensCommand(output)] },
    ["tokens", ...argv],
    output,
    false,
  );
  return { code, stdout: output.stdout, stderr: output.stderr };
}

/** What of a daemon matters here: the folder's lock, its token store and its control socket. */
async function daemon(dataDir: string, problem = (error: unknown): void => expect(error).toBeUndefined()) {
  const journal = await openJournal({ dataDir, environment: "test", clock: systemClock, random: systemRandom });
  const store = openTokens({ dataDir, clock: systemClock, random: systemRandom, disk: { isDamage, mendOf } });
  const handlers = {
    ...refusingHandlers,
    ping: async () => ({ ok: true as const, value: { bridge: journal.bridge, version: "0.1.0", pid: process.pid } }),
    ...tokenHandlers(store, tokensProblem),
  };
  const server = await serveControl({ dataDir, clock: systemClock, handlers, problem });
  onTestFinished(async () => {
    await server.close();
    store.close();
    await journal.close();
  });
  return store;
}

async function find(dataDir: string, token: string | undefined) {
  const store = openTokens({ dataDir, clock: systemClock, random: systemRandom, disk: { isDamage, mendOf } });
  try {
    return await store.find(token ?? "");
  } finally {
    store.close();
  }
}

describe("tokens create", () => {
  it("prints the token and nothing else, and the token works", async () => {
    const data = folder();
    const { code, stdout, stderr } = await tokens("create", "--register", "till-1", "--data", data);
    expect({ code, stderr, lines: stdout.length }).toEqual({ code: 0, stderr: [], lines: 1 });
    expect(stdout[0]).toMatch(TOKEN);
    expect(await find(data, stdout[0])).toEqual({ register: "till-1", scopes: ["payments", "refunds"] });
    expect(fs.readdirSync(data).toSorted()).toEqual(["lock.db", "tokens.db"]);
  });

  it("makes no folder that is named by mistake", async () => {
    const data = path.join(folder(), "typo");
    const line = `posbridge: ${data} does not exist; name the dataDir of the configuration, or the configuration itself by --config FILE`;
    expect(await tokens("create", "--register", "till-1", "--data", data)).toEqual({
      code: 2,
      stdout: [],
      stderr: [line],
    });
    expect(fs.existsSync(data)).toBe(false);
  });

  it.each([
    ["create", "--register", "till-1"],
    ["list", ""],
    ["revoke", "till-1"],
  ])("%s puts nothing into a folder that is another one", async (...argv) => {
    const home = folder();
    fs.writeFileSync(path.join(home, ".profile"), "");
    const line = `posbridge: ${home} is not a data folder, it holds neither a journal nor tokens; name the dataDir of the configuration, or the configuration itself by --config FILE`;
    expect(await tokens(...argv.filter((word) => word !== ""), "--data", home)).toEqual({
      code: 2,
      stdout: [],
      stderr: [line],
    });
    expect(fs.readdirSync(home)).toEqual([".profile"]);
  });

  it("makes the folder that a configuration names beside itself, from wherever it is called", async () => {
    const place = folder();
    fs.writeFileSync(path.join(place, "posbridge.yaml"), "environment: test\ndataDir: ./shop/data\n", { mode: 0o600 });
    const { code, stdout } = await tokens(
      "create",
      "--register",
      "till-1",
      "--config",
      path.join(place, "posbridge.yaml"),
    );
    const data = path.join(place, "shop", "data");
    expect(code).toBe(0);
    expect(await find(data, stdout[0])).toMatchObject({ register: "till-1" });
    expect(fs.statSync(data).mode & 0o777).toBe(0o700);
    const listed = await tokens("list", "--config", path.join(place, "posbridge.yaml"));
    expect(listed.stdout).toEqual((await tokens("list", "--data", data)).stdout);
    expect(await tokens("revoke", "till-1", "--config", path.join(place, "posbridge.yaml"))).toMatchObject({ code: 0 });
  });

  it("takes scopes one by one or in a row, and prints JSON where asked", async () => {
    const data = folder();
    const { stdout } = await tokens(
      "create",
      "--register",
      "office",
      "--scope",
      "technician",
      "--scope",
      "payments:all",
      "payments",
      "--data",
      data,
      "--json",
    );
    expect(JSON.parse(stdout.join("\n"))).toEqual({
      register: "office",
      scopes: ["payments", "payments:all", "technician"],
      createdAt: expect.any(String),
      token: expect.stringMatching(TOKEN),
    });
  });

  it("takes limits of what is given back, a day and a payment, and lists them", async () => {
    const data = folder();
    const { stdout } = await tokens(
      "create",
      "--register",
      "till-1",
      "--refund-limit",
      "200",
      "--refund-limit-per-payment",
      "50.00",
      "--data",
      data,
    );
    expect(await find(data, stdout[0])).toMatchObject({
      register: "till-1",
      refundLimits: { day: 20_000, payment: 5000 },
    });
    await daemon(data);
    const second = await tokens("create", "--register", "till-2", "--refund-limit", "0", "--data", data, "--json");
    expect(JSON.parse(second.stdout.join("\n"))).toMatchObject({ register: "till-2", refundLimits: { day: "0.00" } });
    const listed = await tokens("list", "--data", data);
    expect(listed.stdout[1]).toContain("payments refunds (gives back at most 50.00 a payment, 200.00 a day)");
    expect(listed.stdout[2]).toContain("payments refunds (gives back at most 0.00 a day)");
    expect((await tokens("list", "--data", data, "--json")).stdout.join("")).toContain('"day": "200.00"');
  });

  it("works through a daemon that runs, and its next look-up finds the token", async () => {
    const data = folder();
    const store = await daemon(data);
    const { code, stdout } = await tokens("create", "--register", "till-1", "--data", data);
    expect(code).toBe(0);
    expect(await store.find(stdout[0] ?? "")).toMatchObject({ register: "till-1" });
  });

  it("leaves no plain token anywhere in the folder", async () => {
    const data = folder();
    await daemon(data);
    const { stdout } = await tokens("create", "--register", "till-1", "--data", data);
    const files = fs.readdirSync(data).filter((name) => name !== "control.sock");
    expect(files).toContain("control.secret");
    expect(files).toContain("tokens.db");
    for (const name of files)
      expect(fs.readFileSync(path.join(data, name), "latin1")).not.toContain(stdout[0]?.slice(4));
  });

  it.each([
    [
      ["create", "--register", "", "--data", "@"],
      2,
      "posbridge: register: use 1 to 64 printable characters, without a space at either end",
    ],
    [
      ["create", "--register", "t", "--scope", "all", "--data", "@"],
      2,
      'posbridge: scope: "all" is none; use payments, refunds, unlinked-refunds, stored-cards, foreign-bookings, payments:all, technician',
    ],
    ...["abc", "-1", "1.5", "1,50", "12345678901", "1.234", ""].map((text): [readonly string[], number, string] => [
      ["create", "--register", "t", "--refund-limit", text, "--data", "@"],
      2,
      `posbridge: --refund-limit: ${JSON.stringify(text)} is no amount; use digits, and two decimals or none, such as 200.00`,
    ]),
    [
      ["create", "--register", "t", "--refund-limit-per-payment", "1.5", "--data", "@"],
      2,
      'posbridge: --refund-limit-per-payment: "1.5" is no amount; use digits, and two decimals or none, such as 200.00',
    ],
    [
      ["create", "--register", "t"],
      2,
      "posbridge: no configuration is at /etc/posbridge/posbridge.yaml or ./posbridge.yaml: name one by --config FILE, or the data folder by --data DIR",
    ],
    [["create", "--data", "@"], 2, "posbridge: required option '--register <name>' not specified"],
  ])("%j is refused in one line", async (argv, code, line) => {
    const data = folder();
    expect(await tokens(...argv.map((word) => (word === "@" ? data : word)))).toEqual({
      code,
      stdout: [],
      stderr: [line],
    });
  });

  it("is refused in a folder that is open to others", async () => {
    const data = folder();
    fs.chmodSync(data, 0o755);
    const { code, stderr } = await tokens("create", "--register", "till-1", "--data", data);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: [`posbridge: ${data} is open to others (mode 0755); close it: chmod 700 ${data}`],
    });
  });

  it("never writes beside a process that holds the folder and does not answer", async () => {
    const data = folder();
    const journal = await openJournal({ dataDir: data, environment: "test", clock: systemClock, random: systemRandom });
    onTestFinished(() => journal.close());
    const { code, stderr } = await tokens("create", "--register", "till-1", "--data", data);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: [`posbridge: another posbridge (pid ${process.pid}) uses ${data}; stop it first`],
    });
    expect(fs.existsSync(path.join(data, "tokens.db"))).toBe(false);
  });
});

describe("tokens list", () => {
  it("shows registers, scopes and times, with and without a daemon, and never a token", async () => {
    const data = folder();
    await tokens("create", "--register", "till-1", "--data", data);
    await tokens("create", "--register", "K\u00e4se", "--scope", "payments", "--data", data);
    const alone = await tokens("list", "--data", data);
    const time = "[0-9-]{10}T[0-9:.]{12}Z";
    expect(alone.stdout[0]).toMatch(/^REGISTER {2}SCOPES {12}CREATED {19}LAST USED$/);
    expect(alone.stdout[1]).toMatch(new RegExp(`^K\u00e4se {6}payments {10}${time} {2}never$`));
    expect(alone.stdout[2]).toMatch(new RegExp(`^till-1 {4}payments refunds {2}${time} {2}never$`));
    await daemon(data);
    expect(await tokens("list", "--data", data)).toEqual(alone);
    const { stdout } = await tokens("list", "--data", data, "--json");
    expect(JSON.parse(stdout.join("\n"))).toMatchObject({
      tokens: [{ register: "K\u00e4se" }, { register: "till-1", scopes: ["payments", "refunds"] }],
    });
    expect([...alone.stdout, ...stdout].join("\n")).not.toContain("pbt_");
  });

  it("is empty, and makes nothing, where there are none", async () => {
    const data = folder();
    expect((await tokens("list", "--data", data)).stdout).toEqual(["REGISTER  SCOPES  CREATED  LAST USED"]);
    expect(JSON.parse((await tokens("list", "--data", data, "--json")).stdout.join(""))).toEqual({ tokens: [] });
    expect(fs.readdirSync(data)).toEqual([]);
  });

  it("says that a folder does not exist, and does not make it", async () => {
    const data = path.join(folder(), "nowhere");
    for (const argv of [["list"], ["revoke", "till-1"]]) {
      expect(await tokens(...argv, "--data", data)).toEqual({
        code: 2,
        stdout: [],
        stderr: [
          `posbridge: ${data} does not exist; name the dataDir of the configuration, or the configuration itself by --config FILE`,
        ],
      });
    }
    expect(fs.existsSync(data)).toBe(false);
  });
});

describe("tokens revoke", () => {
  it("takes away every token of a register, with and without a daemon", async () => {
    const data = folder();
    const { stdout } = await tokens("create", "--register", "till-1", "--data", data);
    await tokens("create", "--register", "till-1", "--data", data);
    expect(await tokens("revoke", "till-1", "--data", data)).toEqual({
      code: 0,
      stdout: ["revoked 2 tokens of register till-1"],
      stderr: [],
    });
    expect(await find(data, stdout[0])).toBeUndefined();
    const store = await daemon(data);
    const second = await tokens("create", "--register", "till-1", "--data", data);
    expect(await tokens("revoke", "till-1", "--data", data, "--json")).toMatchObject({
      code: 0,
      stdout: ['{\n  "register": "till-1",\n  "revoked": 1\n}'],
    });
    expect(await store.find(second.stdout[0] ?? "")).toBeUndefined();
  });

  it("ends with 1 where the register has none", async () => {
    expect(await tokens("revoke", "till-1", "--data", folder())).toEqual({
      code: 1,
      stdout: [],
      stderr: ['posbridge: register "till-1" has no token; see: tokens list'],
    });
  });
});

describe("a token whose row was changed by something else", () => {
  async function changed() {
    const data = folder();
    await tokens("create", "--register", "till-1", "--data", data);
    await tokens("create", "--register", "till-2", "--data", data);
    const database = new DatabaseSync(path.join(data, "tokens.db"));
    database.exec("UPDATE tokens SET register = 'till-2' WHERE register = 'till-1'");
    database.close();
    return data;
  }

  it("is listed as damaged, with the fix, and taken away without the sound token of the name that it reads as", async () => {
    const data = await changed();
    const { stdout, stderr } = await tokens("list", "--data", data);
    expect(stdout.map((line) => line.slice(0, 26).trimEnd())).toEqual([
      "REGISTER  SCOPES",
      "till-2    payments refunds",
      "till-2    none: damaged",
    ]);
    expect(stderr).toEqual([
      `1 of them cannot be used any more: posbridge tokens revoke --damaged --data ${data}, then make new ones`,
    ]);
    expect(await tokens("revoke", "--damaged", "--data", data)).toEqual({
      code: 0,
      stdout: ["revoked the damaged token"],
      stderr: [],
    });
    expect((await tokens("list", "--data", data)).stdout).toHaveLength(2);
    expect(await tokens("revoke", "--damaged", "--data", data)).toMatchObject({
      code: 1,
      stderr: ["posbridge: no token is damaged; see: tokens list"],
    });
  });

  it("is taken away by a daemon that runs too", async () => {
    const data = await changed();
    await daemon(data);
    const { stdout } = await tokens("revoke", "--damaged", "--data", data, "--json");
    expect(JSON.parse(stdout.join(""))).toEqual({ damaged: true, revoked: 1 });
  });

  it.each([[["revoke"]], [["revoke", "till-1", "--damaged"]]])(
    "%j says that it takes a name or --damaged",
    async (argv) => {
      expect(await tokens(...argv, "--data", folder())).toMatchObject({
        code: 2,
        stderr: ["posbridge: name a register, or say --damaged: one of the two"],
      });
    },
  );
});

describe("a disk that does not do as it is told", () => {
  const full =
    /^posbridge: .*\/(tokens|lock)\.db cannot be (used|locked): database or disk is full; make room on its disk, then try again$/;
  const create = (data: string) => tokens("create", "--register", "till-2", "--data", data);
  const revoke = (data: string) => tokens("revoke", "till-1", "--data", data);

  it.each([0, 4096, 8192, 16_384])(
    "full but for %i bytes before the first token is made: one line, and all is well once there is room",
    async (left) => {
      const { folder: data, fill, free } = smallDisk(1 << 20);
      fs.writeFileSync(path.join(data, "lock.db"), "", { mode: 0o600 });
      fill(left);
      expect(await create(data)).toEqual({ code: 1, stdout: [], stderr: [expect.stringMatching(full)] });
      free();
      expect((await create(data)).code).toBe(0);
    },
  );

  it.each([0, 4096, 8192])(
    "full but for %i bytes later: nothing is changed, one line says so, and what is there can be listed",
    async (left) => {
      const { folder: data, fill, free } = smallDisk(1 << 20);
      await tokens("create", "--register", "till-1", "--data", data);
      const before = await tokens("list", "--data", data);
      fill(left);
      for (const change of [create, revoke])
        expect(await change(data)).toEqual({ code: 1, stdout: [], stderr: [expect.stringMatching(full)] });
      expect(await tokens("list", "--data", data)).toEqual(before);
      free();
      expect((await revoke(data)).code).toBe(0);
    },
  );

  it("full below a daemon: the same line comes from there", async () => {
    const { folder: data, fill } = smallDisk(4 << 20);
    const logged: unknown[] = [];
    await daemon(data, (error) => logged.push(error));
    await tokens("create", "--register", "till-1", "--data", data);
    fill();
    const line = `posbridge: ${data}/tokens.db cannot be used: database or disk is full; make room on its disk, then try again`;
    for (const change of [create, revoke]) expect(await change(data)).toEqual({ code: 1, stdout: [], stderr: [line] });
    expect(logged).toHaveLength(2);
  });

  it("not to be written: one line says so, and what is there can be listed", async () => {
    const made = folder();
    const bare = await tokens("list", "--data", made);
    const empty = readOnly(made);
    const line =
      /^posbridge: .*\.db cannot be (used|locked): .*; let this user write in the folder, and mount its disk for writing, then try again$/;
    expect(await create(empty)).toEqual({ code: 1, stdout: [], stderr: [expect.stringMatching(line)] });
    expect(await tokens("list", "--data", empty)).toEqual(bare);
    await tokens("create", "--register", "till-1", "--data", made);
    const data = readOnly(made);
    for (const change of [create, revoke])
      expect(await change(data)).toEqual({ code: 1, stdout: [], stderr: [expect.stringMatching(line)] });
    expect(await tokens("list", "--data", data)).toEqual(await tokens("list", "--data", made));
  });
});

it.each([["--help"], ["create", "--help"], ["list", "--help"], ["revoke", "--help"]])(
  "tokens %s %s ends with an example",
  async (...argv) => {
    const { code, stdout } = await tokens(...argv.filter((word) => word !== undefined));
    expect(code).toBe(0);
    expect(stdout.join("\n")).toMatch(/Example:\n( {2}posbridge tokens .*\n?)+$/);
  },
);
