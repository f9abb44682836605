import { userInfo } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../../src/commands/program.ts";
import { rollbacksLine } from "../../../src/commands/restore.ts";
import { rollbacksCommand } from "../../../src/commands/rollbacks.ts";
import type { ControlHandlers } from "../../../src/control/methods.ts";
import { serveControl } from "../../../src/control/server.ts";
import { isDamage, mendOf } from "../../../src/journal/sqlite-error.ts";
import { openJournal } from "../../../src/journal/sqlite-journal.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { openTokens } from "../../../src/register/tokens/tokens.ts";
import { refusingHandlers } from "../../support/refusing-handlers.ts";
import { freshFolder } from "../journal/folder.ts";
import { putRecorded, versionIn } from "../journal/recorded.ts";
import { recordedOutput } from "./recorded-output.ts";

const AT = "2026-02-03T08:00:00.000Z";
const proof = { register: "till-1", at: AT, last: 0, number: 12, generation: 0 };

async function rollbacks(...argv: readonly string[]) {
  const output = recordedOutput();
  const code = await runProgram(
    { name: "posbridge", description: "", commands: [() => rollbacksCommand(output, [])] },
    ["rollbacks", ...argv],
    output,
    false,
  );
  return { code, stdout: output.stdout, stderr: output.stderr };
}

const openIn = (dataDir: string) =>
  openJournal({ dataDir, environment: "live", clock: systemClock, random: systemRandom });

/** A folder of a bridge that does not run, of which a register has proven that it was put back. */
async function putBack(): Promise<string> {
  const dataDir = freshFolder();
  const journal = await openIn(dataDir);
  await journal.cursors.notice(proof);
  await journal.close();
  return dataDir;
}

describe("rollbacks confirm", () => {
  it("writes down who said so and why where no daemon runs, in a folder of whichever environment, and says what is let go of", async () => {
    const data = await putBack();
    const done = await rollbacks("confirm", "--reason", "disk exchanged", "--data", data);
    const line =
      "confirmed: what came after fact 0, of which till-1 had heard, is let go of; payments are accepted again";
    expect(done).toEqual({ code: 0, stdout: [line], stderr: [] });
    const journal = await openIn(data);
    expect(journal.cursors.rollbacks()).toMatchObject([
      { number: 1, confirmed: { by: userInfo().username, reason: "disk exchanged" } },
    ]);
    await journal.close();
    expect(await rollbacks("confirm", "--reason", "disk exchanged", "--data", data)).toMatchObject({
      code: 1,
      stderr: [
        "posbridge: the data folder was not seen to be put back to an earlier moment: there is nothing to confirm",
      ],
    });
  });

  it("names the registers that a restored folder lets in with the tokens of its backup", async () => {
    const data = freshFolder();
    const journal = await openIn(data);
    await journal.cursors.restored({ at: AT, last: 0, madeAt: AT });
    await journal.close();
    const tokens = openTokens({ dataDir: data, clock: systemClock, random: systemRandom, disk: { isDamage, mendOf } });
    for (const register of ["till-2", "till-1"]) tokens.create({ register, scopes: [] });
    tokens.close();
    const { code, stdout } = await rollbacks("confirm", "--unread", "--reason", "disk exchanged", "--data", data);
    expect([code, stdout]).toEqual([
      0,
      [
        `confirmed: what came after the backup of ${AT} is let go of; payments are accepted again, once the bridge runs`,
        expect.stringMatching(
          /^Registers with a valid token: "till-1", "till-2"\. If one was revoked since the backup, revoke it again: posbridge tokens revoke NAME/,
        ),
      ],
    ]);
  });

  it("goes through the daemon where one runs, and prints JSON where asked", async () => {
    const dataDir = freshFolder();
    const journal = await openIn(dataDir);
    const asked: unknown[] = [];
    const value = { number: 1, noticedAt: AT, last: 0, shown: [], confirmed: { at: AT, by: "x", reason: "y" } };
    const handlers: ControlHandlers = {
      ...refusingHandlers,
      "rollbacks.confirm": async (word) => {
        asked.push(word);
        return { ok: true, value };
      },
    };
    const server = await serveControl({
      dataDir,
      clock: systemClock,
      handlers,
      problem: (error) => expect(error).toBeUndefined(),
    });
    onTestFinished(async () => {
      await server.close();
      await journal.close();
    });
    const { code, stdout } = await rollbacks("confirm", "--reason", "disk exchanged", "--data", dataDir, "--json");
    expect([code, JSON.parse(stdout.join(""))]).toEqual([0, value]);
    expect(asked).toEqual([{ by: userInfo().username, reason: "disk exchanged" }]);
  });

  it.each([
    [["--data", "@"], "posbridge: required option '--reason <text>' not specified"],
    [
      ["--reason", "", "--data", "@"],
      "posbridge: --reason: use 1 to 500 printable characters, without a space at either end",
    ],
    [
      ["--reason", "card 4761340000000019", "--data", "@"],
      "posbridge: --reason: holds a card number, which is never kept; leave it out",
    ],
    [
      ["--reason", "x"],
      "posbridge: no configuration is at /etc/posbridge/posbridge.yaml or ./posbridge.yaml: name one by --config FILE, or the data folder by --data DIR",
    ],
  ])("%j is wrong usage", async (argv, line) => {
    const data = freshFolder();
    expect(await rollbacks("confirm", ...argv.map((word) => (word === "@" ? data : word)))).toEqual({
      code: 2,
      stdout: [],
      stderr: [line],
    });
  });

  it("says in one line that a process holds the folder that does not answer, or that it holds no journal", async () => {
    const dataDir = freshFolder();
    expect(await rollbacks("confirm", "--reason", "x", "--data", dataDir)).toMatchObject({
      code: 2,
      stderr: [expect.stringContaining("holds no journal")],
    });
    const journal = await openIn(dataDir);
    expect(await rollbacks("confirm", "--reason", "x", "--data", dataDir)).toMatchObject({
      code: 2,
      stderr: [expect.stringContaining("another posbridge")],
    });
    await journal.close();
  });
});

describe("rollbacks list", () => {
  it("shows each of them with its confirmation, while the folder stays as it is", async () => {
    const data = await putBack();
    await rollbacks("confirm", "--reason", "disk exchanged", "--data", data);
    const journal = await openIn(data);
    await journal.cursors.notice({ ...proof, number: 30, generation: 1 });
    const { code, stdout } = await rollbacks("list", "--data", data);
    expect([code, stdout[0]]).toEqual([
      0,
      expect.stringMatching(/^NOTICED +LAST FACT +HEARD OF MORE +CONFIRMED +BY +REASON$/),
    ]);
    expect(stdout[1]).toMatch(
      new RegExp(`^${AT} +0 +till-1 \\(fact 12\\) +[0-9-]{10}T[0-9:.]{12}Z +${userInfo().username} +disk exchanged$`),
    );
    expect(stdout[2]).toMatch(new RegExp(`^${AT} +0 +till-1 \\(fact 30\\) +no *$`));
    const json = await rollbacks("list", "--data", data, "--json");
    expect(JSON.parse(json.stdout.join(""))).toEqual({
      rollbacks: [
        expect.objectContaining({ number: 1, confirmed: expect.anything() }),
        { number: 2, noticedAt: AT, last: 0, shown: [{ register: "till-1", number: 30, at: AT }] },
      ],
    });
    await journal.close();
  });

  it("is empty in a journal of the version before there were any, and leaves it of that version", async () => {
    const data = putRecorded(3, freshFolder());
    expect((await rollbacks("list", "--data", data)).stdout).toHaveLength(1);
    expect(versionIn(data)).toBe(3);
  });
});

it.each([
  ["windows", "C:\\Program Files\\shop\\posbridge.yaml", '"C:\\Program Files\\shop\\posbridge.yaml"'],
  ["windows", "C:\\ProgramData\\posbridge\\posbridge.yaml", "C:\\ProgramData\\posbridge\\posbridge.yaml"],
  ["linux", "/srv/my shop/posbridge.yaml", "'/srv/my shop/posbridge.yaml'"],
] as const)("the command after a restore can be pasted on %s, with %s", (platform, config, word) => {
  expect(rollbacksLine("confirm --reason TEXT", config, platform)).toBe(
    `posbridge rollbacks confirm --reason TEXT --config ${word}`,
  );
});

it.each([["--help"], ["list", "--help"], ["confirm", "--help"]])(
  "rollbacks %s %s ends with an example",
  async (...argv) => {
    const { code, stdout } = await rollbacks(...argv.filter((word) => word !== undefined));
    expect(code).toBe(0);
    expect(stdout.join("\n")).toMatch(/Example:\n( {2}posbridge rollbacks .*\n?)+$/);
  },
);
