import fs from "node:fs";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { miuraM020 } from "../../../drivers/miura-m020/driver.ts";
import { knownModels } from "../../../src/agent/models.ts";
import { runProgram } from "../../../src/commands/program.ts";
import { resolveCommand } from "../../../src/commands/resolve.ts";
import type { ControlHandlers } from "../../../src/control/methods.ts";
import { serveControl } from "../../../src/control/server.ts";
import { openJournal } from "../../../src/journal/sqlite-journal.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { refusingHandlers } from "../../support/refusing-handlers.ts";
import { recordedOutput } from "./recorded-output.ts";

type Resolve = ControlHandlers["payments.resolve"];
const CLOSED = {
  id: "pay_1",
  reference: "4711",
  register: "till-1",
  state: "FINAL",
  outcome: "FAILED",
  reason: { code: "operator-reversed", message: "Closed." },
  gateway: "nothing",
} as const;

const SHOWS_NOTHING = "the gateway was asked once more and shows nothing of it";

function folder(): string {
  const made = fs.mkdtempSync(path.join(tmpdir(), "posbridge-resolve-"));
  onTestFinished(() => fs.rmSync(made, { recursive: true }));
  return made;
}

/** A file that is in order, of a bridge with that data folder. */
function configurationOf(dataDir: string): string {
  const file = path.join(folder(), "posbridge.yaml");
  const token = path.join(path.dirname(file), "token");
  fs.writeFileSync(token, "sandbox-token", { mode: 0o600 });
  const lines = [
    "environment: test",
    `dataDir: ${dataDir}`,
    "merchant: { name: Shop, country: DE }",
    `gateway: { baseUrl: "http://127.0.0.1:7718/", entityId: 8a8294174b7ecb28014b9699220015ca, accessTokenFile: ${token} }`,
    "terminals:",
    '  - { id: till-1, model: miura-m020, connection: { tcp: "127.0.0.1:1" }, terminalId: "12345678" }',
  ];
  fs.writeFileSync(file, lines.join("\n"));
  return file;
}

async function resolve(...argv: readonly string[]) {
  const output = recordedOutput();
  const code = await runProgram(
    { name: "posbridge", description: "", commands: [() => resolveCommand(output, knownModels([miuraM020]))] },
    ["resolve", ...argv],
    output,
    false,
  );
  return { code, stdout: output.stdout, stderr: output.stderr };
}

/** The control socket of a daemon that closes payments as told, and what it was asked. */
async function daemon(answer: Resolve) {
  const dataDir = folder();
  const asked: Parameters<Resolve>[0][] = [];
  const handlers = {
    ...refusingHandlers,
    "payments.resolve": async (params: Parameters<Resolve>[0]) => {
      asked.push(params);
      return answer(params);
    },
  };
  const server = await serveControl({
    dataDir,
    clock: systemClock,
    handlers,
    problem: (error) => expect(error).toBeUndefined(),
  });
  onTestFinished(() => server.close());
  return { dataDir, asked };
}

/** Runs with the variable that sudo sets, or without it. */
function behindSudo(person: string | undefined): void {
  const before = process.env["SUDO_USER"];
  const set = (name: string | undefined): void => {
    if (name === undefined) delete process.env["SUDO_USER"];
    else process.env["SUDO_USER"] = name;
  };
  set(person);
  onTestFinished(() => set(before));
}

describe("resolve", () => {
  it("asks the daemon, with who says it, and prints how the payment stands", async () => {
    behindSudo(undefined);
    const { dataDir, asked } = await daemon(async () => ({ ok: true, value: CLOSED }));
    const done = await resolve("4711", "--as", "reversed", "--reason", "not in the back office", "--data", dataDir);
    expect(done).toEqual({
      code: 0,
      stdout: ["payment 4711 of register till-1 is FINAL FAILED (operator-reversed)"],
      stderr: [SHOWS_NOTHING],
    });
    expect(asked).toEqual([
      { reference: "4711", as: "reversed", reason: "not in the back office", by: userInfo().username },
    ]);
  });

  it("asks the daemon of the configuration's data folder", async () => {
    const { dataDir, asked } = await daemon(async () => ({ ok: true, value: CLOSED }));
    const { code } = await resolve(
      "4711",
      "--as",
      "reversed",
      "--reason",
      "not in the back office",
      "--config",
      configurationOf(dataDir),
    );
    expect({ code, asked: asked.length }).toEqual({ code: 0, asked: 1 });
  });

  it("prints what became of the capture of an approved sale", async () => {
    const { id, reference, register, state, gateway } = CLOSED;
    const { dataDir } = await daemon(async () => ({
      ok: true,
      value: { id, reference, register, state, gateway, outcome: "APPROVED", capture: "failed" },
    }));
    const done = await resolve("4711", "--as", "reversed", "--reason", "not captured", "--data", dataDir);
    expect(done.stdout).toEqual(["payment 4711 of register till-1 is FINAL APPROVED, capture failed"]);
  });

  it.each([
    ["reversed", "nothing", SHOWS_NOTHING],
    ["declined", "refused", "the gateway was asked once more and shows it refused"],
    ["reversed", "no-answer", "the gateway was asked once more and did not answer; what was said counts all the same"],
    ["reversed", "booked", "the gateway was asked once more and shows it booked; what was said counts all the same"],
    [
      "declined",
      "undecided",
      "the gateway was asked once more and has not decided it; what was said counts all the same",
    ],
    ["approved", "booked", "the gateway was asked once more and shows it booked"],
    [
      "approved",
      "nothing",
      "the gateway was asked once more and shows nothing of it; what was said counts all the same",
    ],
  ] as const)("says beside the word %s what the gateway told: %s", async (as, gateway, line) => {
    const { dataDir } = await daemon(async () => ({ ok: true, value: { ...CLOSED, gateway } }));
    const { code, stderr } = await resolve(
      "4711",
      "--as",
      as,
      "--gateway-id",
      "8ac7a4a1",
      "--reason",
      "x",
      "--data",
      dataDir,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: [line] });
  });

  it("names the person behind sudo, and hands on register and gateway id", async () => {
    behindSudo("anna");
    const { dataDir, asked } = await daemon(async () => ({ ok: true, value: { ...CLOSED, outcome: "APPROVED" } }));
    const argv = [
      "4711",
      "--register",
      "till-1",
      "--as",
      "approved",
      "--gateway-id",
      "8ac7a4a1",
      "--reason",
      "seen there",
      "--data",
      dataDir,
      "--json",
    ];
    const { code, stdout, stderr } = await resolve(...argv);
    expect({ code, stderr, printed: JSON.parse(stdout.join("\n")) }).toEqual({
      code: 0,
      stderr: [],
      printed: { ...CLOSED, outcome: "APPROVED" },
    });
    expect(asked).toMatchObject([
      { register: "till-1", as: "approved", gatewayId: "8ac7a4a1", by: `anna as ${userInfo().username}` },
    ]);
  });

  it("ends with 1 and the daemon's one line where that refuses", async () => {
    const { dataDir } = await daemon(async () => ({
      ok: false,
      message: 'reference "4711": the gateway may still be at work on it: try again in 12 minutes',
    }));
    expect(await resolve("4711", "--as", "declined", "--reason", "x", "--data", dataDir)).toEqual({
      ...{ code: 1, stdout: [] },
      stderr: ['posbridge: reference "4711": the gateway may still be at work on it: try again in 12 minutes'],
    });
  });
});

describe("resolve without a daemon", () => {
  it("asks for the configuration, because the gateway is asked first", async () => {
    const data = folder();
    expect(await resolve("4711", "--as", "reversed", "--reason", "x", "--data", data)).toEqual({
      ...{ code: 2, stdout: [] },
      stderr: [
        `posbridge: no daemon runs on ${data}, and the gateway has to be asked first: name the bridge's configuration by --config FILE`,
      ],
    });
    expect(fs.readdirSync(data)).not.toContain("journal.db");
  });

  it("takes the configuration of that data folder and no other", async () => {
    const [data, config] = [folder(), configurationOf(folder())];
    const { code, stderr } = await resolve(
      "4711",
      "--as",
      "reversed",
      "--reason",
      "x",
      "--data",
      data,
      "--config",
      config,
    );
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: [expect.stringContaining(`--data ${data} is not the dataDir of ${config}`)],
    });
    expect(fs.readdirSync(data)).toEqual([]);
  });

  it("says what the configuration is not", async () => {
    const data = folder();
    const { code, stderr } = await resolve(
      "4711",
      "--as",
      "reversed",
      "--reason",
      "x",
      "--data",
      data,
      "--config",
      path.join(data, "none.yaml"),
    );
    expect({ code, stderr: stderr.join(" ") }).toEqual({ code: 2, stderr: expect.stringContaining("does not exist") });
  });

  it("names a process that holds the folder and does not answer", async () => {
    const data = folder();
    const journal = await openJournal({ dataDir: data, environment: "test", clock: systemClock, random: systemRandom });
    onTestFinished(() => journal.close());
    expect(await resolve("4711", "--as", "reversed", "--reason", "x", "--data", data)).toEqual({
      ...{ code: 2, stdout: [] },
      stderr: [`posbridge: another posbridge (pid ${process.pid}) uses ${data}; stop it first`],
    });
  });

  it("says that a folder does not exist", async () => {
    const data = path.join(folder(), "nowhere");
    expect(await resolve("4711", "--as", "reversed", "--reason", "x", "--data", data)).toEqual({
      ...{ code: 2, stdout: [] },
      stderr: [
        `posbridge: ${data} does not exist; name the dataDir of the configuration, or the configuration itself by --config FILE`,
      ],
    });
  });
});

describe("what makes no sense is refused in one line before anybody is asked", () => {
  const printable = (what: string, most: number) =>
    `posbridge: ${what}: use 1 to ${most} printable characters, without a space at either end`;
  it.each([
    [["4711", "--as", "reversed"], "posbridge: required option '--reason <text>' not specified"],
    [["4711", "--reason", "x"], "posbridge: required option '--as <outcome>' not specified"],
    [
      ["4711", "--as", "paid", "--reason", "x"],
      "posbridge: option '--as <outcome>' argument 'paid' is invalid. Allowed choices are reversed, approved, declined.",
    ],
    [
      ["4711", "--as", "approved", "--reason", "x"],
      "posbridge: --as approved: name the booking by --gateway-id, as the gateway's back office shows it",
    ],
    [["4711", "--as", "reversed", "--reason", ""], printable("--reason", 500)],
    [["4711", "--as", "reversed", "--reason", " x"], printable("--reason", 500)],
    [["4711", "--as", "reversed", "--reason", "a\nb"], printable("--reason", 500)],
    [["4711", "--as", "reversed", "--reason", "x".repeat(501)], printable("--reason", 500)],
    [["", "--as", "reversed", "--reason", "x"], printable("reference", 64)],
    [["4711", "--as", "reversed", "--reason", "x", "--register", "a\tb"], printable("--register", 64)],
    [["4711", "--as", "approved", "--reason", "x", "--gateway-id", ""], printable("--gateway-id", 64)],
    [
      ["4711", "--as", "reversed", "--reason", "card 4111 1111 1111 1111"],
      "posbridge: --reason: holds a card number, which is never kept; leave it out",
    ],
  ])("%j", async (argv, line) => {
    expect(await resolve(...argv, "--data", folder())).toEqual({ code: 2, stdout: [], stderr: [line] });
  });

  it("and so is a missing data folder option", async () => {
    expect(await resolve("4711", "--as", "reversed", "--reason", "x")).toEqual({
      ...{ code: 2, stdout: [] },
      stderr: [
        "posbridge: no configuration is at /etc/posbridge/posbridge.yaml or ./posbridge.yaml: name one by --config FILE, or the data folder by --data DIR",
      ],
    });
  });
});

it("resolve --help ends with an example", async () => {
  const { code, stdout } = await resolve("--help");
  expect(code).toBe(0);
  expect(stdout.join("\n")).toMatch(/Example:\n( {2}posbridge .*\n?)+$/);
});
