import { once } from "node:events";
import fs from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { driverModels } from "../../drivers/index.ts";
import { runProgram as runCommand } from "../../src/commands/program.ts";
import { sandboxCommand } from "../../src/commands/sandbox.ts";
import { shopCommands } from "../../src/commands/shop.ts";
import { simulateCommand } from "../../src/commands/simulate.ts";
import { openJournal } from "../../src/journal/sqlite-journal.ts";
import { systemClock } from "../../src/kit/system-clock.ts";
import { systemRandom } from "../../src/kit/system-random.ts";
import { recordedOutput } from "../unit/commands/recorded-output.ts";
import { AT, paymentRow } from "../unit/journal/payment-row.ts";
import { runProgram } from "./program.ts";
import { sell } from "./sale.ts";
import { createToken, openShop, type Shop } from "./shop.ts";
import type { Till } from "./till.ts";

let shop: Shop;
let till: Till;

beforeAll(async () => {
  shop = await openShop();
  till = await shop.till();
  await sell({ till, terminal: shop.terminal, reference: "sold" });
});
afterAll(() => shop.close());

/** A configuration beside the shop's, made from it; gives its path. */
function configuration(name: string, change: (text: string) => string): string {
  const file = path.join(shop.folder, `${name}.yaml`);
  const text = fs.readFileSync(shop.configFile, "utf8");
  const changed = change(text);
  expect(changed).not.toBe(text);
  fs.writeFileSync(file, changed);
  return file;
}

const otherData = (text: string, folder: string): string => text.replace("./data", `./${folder}`);

/** The bridge is refused with 2 and this one line; its log says nothing of being ready. */
async function expectRefusal(file: string, line: RegExp): Promise<void> {
  const { code, out, err, tookMs } = await runProgram("run", "--config", file);
  expect(code).toBe(2);
  expect(out.filter((text) => !text.includes("terminal session stopped"))).toEqual([]);
  expect(err).toEqual([expect.stringMatching(line)]);
  expect(tookMs).toBeLessThan(60_000);
}

describe("a bridge that cannot start says so in one line and ends with 2", () => {
  it("where another bridge has its data folder, and leaves that one alone", async () => {
    await expectRefusal(
      shop.configFile,
      new RegExp(`another posbridge \\(pid ${shop.bridge().pid}\\) uses ${shop.dataDir}; stop it first`),
    );
    expect(shop.bridge().isRunning()).toBe(true);
    expect(await till.client.ping()).toMatch(/Z$/);
  });

  it("where its port is taken", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await once(taken, "listening");
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const file = configuration("busy-port", (text) =>
      otherData(text, "busy-port-data").replace("port: 0", `port: ${port}`),
    );
    await expectRefusal(
      file,
      new RegExp(
        `port ${port} on 127\\.0\\.0\\.1 is taken: stop the program that has it, or choose another listen\\.port`,
      ),
    );
  });

  it("where a serial device is not there at the first start", async () => {
    const file = configuration("no-device", (text) =>
      otherData(text, "no-device-data").replace(/serial: \S+/, "serial: /dev/serial/by-id/none }"),
    );
    fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace("none } }", "none }"));
    await expectRefusal(
      file,
      /terminal till-1: no device at \/dev\/serial\/by-id\/none .*plug it in and switch it on, or correct connection\.serial/,
    );
  });

  it("where a newer version wrote of an open payment what this one does not know", async () => {
    const file = configuration("newer", (text) => otherData(text, "newer-data"));
    const journal = await openJournal({
      dataDir: path.join(shop.folder, "newer-data"),
      environment: "test",
      clock: systemClock,
      random: systemRandom,
    });
    await journal.append([{ fact: "loyalty-earned", at: 0 }], AT, paymentRow(1));
    await journal.close();
    await expectRefusal(
      file,
      /fact 1 of the journal is not one that this version knows \(fact\): install the newer posbridge that wrote it/,
    );
  });

  it("where others may enter its data folder", async () => {
    fs.mkdirSync(path.join(shop.folder, "open-data"));
    fs.chmodSync(path.join(shop.folder, "open-data"), 0o755);
    const file = configuration("open-data", (text) => otherData(text, "open-data"));
    await expectRefusal(file, /open-data is open to others \(mode 0755\); close it: chmod 700 /);
  });

  it("where its data folder belongs to the other environment", async () => {
    await shop.stop();
    const file = configuration("live", (text) =>
      text
        .replace("environment: test", "environment: live")
        .replace(/http:[^"]+/, "https://gateway.example/")
        .replace(", testMode: INTERNAL", "")
        .replace(/terminals:\n.*\n/, "terminals: []\n")
        .replace('"unknownWindowMs":1000', '"unknownWindowMs":1800000'),
    );
    await expectRefusal(file, /data belongs to environment test and the configuration says live/);
    await shop.start();
    till = await shop.till();
  });

  it("where its control socket would have too long a path", async () => {
    const file = configuration("long", (text) => otherData(text, "x".repeat(100)));
    await expectRefusal(file, /control\.sock has \d+ bytes and a socket takes \d+; use a dataDir with a shorter path/);
  });

  it("while the bridge that runs sells on", async () => {
    expect(await sell({ till, terminal: shop.terminal, reference: "sold meanwhile" })).toMatchObject({
      outcome: "APPROVED",
    });
  });

  it.concurrent.each([
    ["is not there", "absent"],
    ["is open to others", "open"],
    ["is a folder", "folder"],
    ["is empty", "empty"],
  ])("where the file with the gateway's token %s", async (_why, kind) => {
    const token = path.join(shop.folder, `token-${kind}`);
    if (kind === "folder") fs.mkdirSync(token);
    if (kind === "open") fs.writeFileSync(token, "sandbox-token", { mode: 0o644 });
    if (kind === "empty") fs.writeFileSync(token, "", { mode: 0o600 });
    const file = configuration(`token-${kind}`, (text) =>
      otherData(text, "token-data").replace("./gateway-token", `./token-${kind}`),
    );
    const { code, out, err } = await runProgram("run", "--config", file);
    expect({ code, out }).toEqual({ code: 2, out: [] });
    expect(err).toEqual([
      expect.stringMatching(new RegExp(`^${file}:5: gateway\\.accessTokenFile: .*;`)),
      expect.stringContaining("has a problem"),
    ]);
    expect(err.join("\n")).not.toContain("sandbox-token");
    expect(fs.existsSync(path.join(shop.folder, "token-data"))).toBe(false);
  });
});

describe("a configuration with several problems", () => {
  const broken = (text: string): string =>
    text
      .replace("environment: test", "environment: prod")
      .replace("port: 0", "port: 70000")
      .replace("country: DE", "country: Germany")
      .replace("miura-m020", "miura-m20");

  it.each(["run --config", "check-config"])(
    "is refused by %s with every problem, its line and the mend, and with 2",
    async (command) => {
      const file = configuration("broken", (text) => otherData(broken(text), "broken-data"));
      const { code, out, err } = await runProgram(...command.split(" "), file);
      expect({ code, out }).toEqual({ code: 2, out: [] });
      expect(err).toHaveLength(5);
      expect(err[0]).toMatch(new RegExp(`^${file}:1: environment: `));
      expect(err[1]).toMatch(new RegExp(`^${file}:2: listen\\.port: `));
      expect(err[2]).toMatch(new RegExp(`^${file}:4: merchant\\.country: `));
      expect(err[3]).toMatch(new RegExp(`^${file}:7: terminals\\[0\\]\\.model: .*did you mean miura-m020\\?`));
      expect(err[4]).toBe(`posbridge: ${file} has 4 problems; mend them, then try: posbridge check-config ${file}`);
      expect(fs.existsSync(path.join(shop.folder, "broken-data"))).toBe(false);
    },
  );

  it("is told for programs with --json", async () => {
    const { code, out } = await runProgram("check-config", configuration("broken", broken), "--json");
    expect(code).toBe(2);
    expect(JSON.parse(out.join("\n"))).toMatchObject({
      ok: false,
      problems: [{ line: 1 }, { line: 2 }, { line: 4 }, { line: 7 }],
    });
  });

  it("is a matter of the shop's own file being sound", async () => {
    expect(await runProgram("check-config", shop.configFile)).toMatchObject({ code: 0, out: ["ok"], err: [] });
  });
});

describe("while the daemon runs", () => {
  it("tokens create makes a token that opens a session at once, and tokens revoke takes it away", async () => {
    const token = await createToken(shop.dataDir, "till-7");
    expect(token).toMatch(/^pbt_[A-Za-z0-9_-]{43}$/);
    expect((await shop.till(token)).client.register).toBe("till-7");
    const listed = await runProgram("tokens", "list", "--data", shop.dataDir, "--json");
    expect(listed.out.join("\n")).toContain('"till-7"');
    expect(listed.out.join("\n")).not.toContain(token);
    expect(await runProgram("tokens", "revoke", "till-7", "--data", shop.dataDir)).toMatchObject({
      code: 0,
      out: ["revoked the token of register till-7"],
    });
    await expect(shop.till(token)).rejects.toMatchObject({ code: "unauthorized" });
    expect(await runProgram("tokens", "revoke", "till-7", "--data", shop.dataDir)).toMatchObject({ code: 1 });
  });

  it("payments list, show and export tell what the register was told", async () => {
    const payment = await till.client.get({ reference: "sold" });
    const list = await runProgram("payments", "list", "--data", shop.dataDir);
    expect(list.code).toBe(0);
    expect(list.out[0]).toMatch(/^CREATED +REGISTER +REFERENCE/);
    expect(list.out[2]).toMatch(/register-1 +sold +till-1 +SALE +12\.34 +EUR +FINAL +APPROVED$/);
    const shown = await runProgram("payments", "show", "sold", "--data", shop.dataDir, "--json");
    expect(JSON.parse(shown.out.join("\n"))).toEqual(payment);
    const exported = await runProgram("payments", "export", "--data", shop.dataDir);
    expect(exported.out.map((line) => JSON.parse(line))).toEqual([
      await till.client.get({ reference: "sold meanwhile" }),
      payment,
    ]);
    expect(await runProgram("payments", "list", "--open", "--data", shop.dataDir, "--json")).toMatchObject({
      code: 0,
      out: ["{", '  "payments": []', "}"],
    });
  });

  it("payments show refuses what is not there with 1, and a wrong option with 2", async () => {
    const unknown = await runProgram("payments", "show", "never", "--data", shop.dataDir);
    expect(unknown).toMatchObject({
      code: 1,
      out: [],
      err: ["posbridge: no payment of any register has the reference never"],
    });
    expect(await runProgram("payments", "list", "--limit", "0", "--data", shop.dataDir)).toMatchObject({
      code: 2,
      err: [expect.stringContaining("--limit 0")],
    });
    expect(await runProgram("payments", "list", "--data", path.join(shop.folder, "nowhere"))).toMatchObject({
      code: 2,
      err: [expect.stringContaining("nowhere")],
    });
  });
});

describe("after the daemon was killed", () => {
  it("payments and tokens still work, and the next daemon has the token", async () => {
    await shop.kill();
    expect((await runProgram("payments", "list", "--data", shop.dataDir)).out[1]).toContain("sold");
    const token = await createToken(shop.dataDir, "till-8");
    await shop.start();
    expect((await shop.till(token)).client.register).toBe("till-8");
  });

  it("a terminal that answered before may be missing: the bridge starts and waits for it", async () => {
    await shop.kill();
    await shop.terminal.fault("unplug");
    await shop.start();
    till = await shop.till();
    expect(await till.client.terminals()).toMatchObject([
      { id: "till-1", state: "offline", reason: expect.stringContaining(shop.terminal.path) },
    ]);
    const plugged = shop.bridge().out.length;
    await shop.terminal.fault("plug");
    await shop.bridge().line(/terminal is ready/, plugged);
  });
});

describe("what the daemon prints", () => {
  it("is one JSON object a line on stdout, with level, time and what happened", () => {
    for (const line of shop.printed())
      expect(JSON.parse(line)).toMatchObject({
        level: expect.any(String),
        time: expect.stringMatching(/Z$/),
        msg: expect.any(String),
      });
    expect(shop.bridge().err).toEqual([]);
  });
});

describe("wrong usage", () => {
  it.each([
    [["fly"], "unknown command 'fly'"],
    [["run", "--config"], "--config"],
    [["run", "--config", "x.yaml", "--loud"], "--loud"],
    [["run", "--config", "no-such-file.yaml"], "no-such-file.yaml does not exist"],
    [["tokens", "create", "--register", "r"], "--data"],
    [["sandbox", "--port", "x"], "--port x"],
    [["sandbox", "--bdk", "00112233445566778899AABBCCDDEEFF"], "--bdk"],
    [["simulate"], "name a model: miura-m020"],
  ])("%j ends with 2 and says what is wrong", async (argv, problem) => {
    // Here, not in a process of its own: how such a code ends a process is shown above.
    const output = recordedOutput();
    const line = {
      name: "posbridge",
      description: "",
      commands: [...shopCommands(driverModels), sandboxCommand, simulateCommand],
    };
    const code = await runCommand(line, argv, output, false);
    const { stdout: out, stderr: err } = output;
    expect({ code, out }).toEqual({ code: 2, out: [] });
    expect(err.join("\n")).toContain(problem);
    expect(err.filter((line) => !line.includes("no-such-file.yaml")).length).toBeLessThanOrEqual(1);
  });
});
