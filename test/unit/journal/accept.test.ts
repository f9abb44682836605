import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { journalCommand } from "../../../src/commands/journal.ts";
import { runProgram } from "../../../src/commands/program.ts";
import { openReadOnly } from "../../../src/journal/read-only.ts";
import { openJournal } from "../../../src/journal/sqlite-journal.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { recordedOutput } from "../commands/recorded-output.ts";
import { afterPowerCut, freshFolder, open } from "./folder.ts";
import { AT, paymentRow } from "./payment-row.ts";

const SLOT_BYTES = 4096;
const witnessOf = (folder: string): string => path.join(folder, "journal.witness");

/** A closed journal of six facts. */
async function written(): Promise<string> {
  const folder = freshFolder();
  const journal = await open(folder);
  for (let n = 1; n <= 6; n += 1) await journal.append([{ n }], AT, paymentRow(n));
  await journal.close();
  return folder;
}

/** Makes one of the two slots unreadable. */
function spoil(folder: string, slot: 0 | 1): void {
  const bytes = fs.readFileSync(witnessOf(folder));
  fs.writeFileSync(witnessOf(folder), bytes.fill(0xa5, slot * SLOT_BYTES + 20, slot * SLOT_BYTES + 40));
}

async function accept(folder: string, fact: string) {
  const output = recordedOutput();
  const argv = ["journal", "accept", fact, "--data", folder];
  const code = await runProgram(
    { name: "posbridge", description: "", commands: [() => journalCommand(output)] },
    argv,
    output,
    false,
  );
  return { code, said: [...output.stdout, ...output.stderr].join("\n") };
}

const refusalOf = (folder: string) =>
  open(folder).then(
    () => "opened",
    (cause: unknown) => String(cause),
  );

describe("a witness with one flipped bit", () => {
  it("is read with the bit turned back: the journal opens whole, and says so", async () => {
    const folder = await written();
    const sound = fs.readFileSync(witnessOf(folder));
    const random = seededRandom(7);
    // Each slot holds a line of 104 bytes.
    for (let at = 0; at < 104; at += 3) {
      const bytes = Buffer.from(sound);
      for (const slot of [0, SLOT_BYTES]) bytes[slot + at] = (bytes[slot + at] ?? 0) ^ (1 << random.below(8));
      fs.writeFileSync(witnessOf(folder), bytes);
      const reader = openReadOnly(folder);
      expect([at, await reader.lastNumber()]).toEqual([at, 6]);
      reader.close();
    }
    const warned: string[] = [];
    const journal = await openJournal({
      dataDir: folder,
      environment: "test",
      clock: systemClock,
      random: systemRandom,
      warn: (line) => warned.push(line),
    });
    expect(await journal.append([7], AT, paymentRow(7))).toEqual({ last: 7 });
    await journal.close();
    expect(warned).toEqual([
      `${witnessOf(folder)} had a flipped bit, which was turned back: check this machine's memory and disk`,
    ]);
  });

  it.each([
    ["one of its slots", [0]],
    ["both", [0, SLOT_BYTES]],
  ])("is turned back by accept as by a start, which then has nothing to say (%s)", async (_which, slots) => {
    const folder = await written();
    const bytes = fs.readFileSync(witnessOf(folder));
    for (const slot of slots) bytes[slot + 30] = (bytes[slot + 30] ?? 0) ^ 0x04;
    fs.writeFileSync(witnessOf(folder), bytes);
    expect(await accept(folder, "6")).toEqual({
      code: 0,
      said: [
        "the journal is whole, and its witness proves it: there is nothing to accept",
        "the witness had a flipped bit, which was turned back: check this machine's memory and disk",
      ].join("\n"),
    });
    expect(await accept(folder, "6")).toEqual({
      code: 0,
      said: "the journal and its witness are sound: there is nothing to accept",
    });
    const warned: string[] = [];
    const journal = await openJournal({
      dataDir: folder,
      environment: "test",
      clock: systemClock,
      random: systemRandom,
      warn: (line) => warned.push(line),
    });
    expect(await journal.append([7], AT, paymentRow(7))).toEqual({ last: 7 });
    await journal.close();
    expect(warned).toEqual([]);
  });

  it("still tells of facts that are missing", async () => {
    const folder = freshFolder();
    const journal = await open(folder);
    await journal.append([1], AT, paymentRow(1));
    const earlier = afterPowerCut(folder);
    await journal.append([2], AT, paymentRow(2));
    await journal.close();
    const bytes = fs.readFileSync(witnessOf(folder));
    for (const slot of [0, SLOT_BYTES]) bytes[slot + 25] = (bytes[slot + 25] ?? 0) ^ 0x10;
    fs.writeFileSync(witnessOf(earlier), bytes);
    expect(await refusalOf(earlier)).toContain("ends with fact 1, but 2 were acknowledged");
    expect(await accept(earlier, "1")).toMatchObject({
      code: 1,
      said: expect.stringContaining("ends with fact 1, but 2 were acknowledged"),
    });
  });
});

describe("a whole journal of which its witness cannot tell the end", () => {
  const damages: readonly (readonly [string, (folder: string) => void])[] = [
    ["is missing", (folder) => fs.rmSync(witnessOf(folder))],
    ["is damaged", (folder) => fs.writeFileSync(witnessOf(folder), "")],
    ["is damaged in one of its two places", (folder) => spoil(folder, 1)],
  ];

  it.each(damages)(
    "is refused, with what is proven and what is not, and the mend: the witness %s",
    async (how, damage) => {
      const folder = await written();
      damage(folder);
      const proven = `facts 1 to 6 are whole, the last of ${AT}, and only the gateway's back office can tell whether more was booked since`;
      const mend = `restore the last backup (docs/journal.md), or where that was all: posbridge journal accept 6 --data ${folder}`;
      expect(await refusalOf(folder)).toContain(
        `${witnessOf(folder)} ${how}, so facts after 6 may be missing; ${proven}; ${mend}`,
      );
      expect(() => openReadOnly(folder)).toThrow(proven);
    },
  );

  it.each(damages)(
    "opens once a technician has named its last fact, and goes on from there: the witness %s",
    async (_how, damage) => {
      const folder = await written();
      damage(folder);
      expect(await accept(folder, "6")).toEqual({
        code: 0,
        said: "the journal ends with fact 6 from now on; its witness is made anew",
      });
      const journal = await open(folder);
      expect(await journal.append([7], AT, paymentRow(7))).toEqual({ last: 7 });
      await journal.close();
      expect(await (await open(folder)).lastNumber()).toBe(7);
    },
  );

  it.each(["5", "7"])("is not accepted by another number (%s), and stays as it was found", async (fact) => {
    const folder = await written();
    spoil(folder, 1);
    const before = fs.readFileSync(witnessOf(folder));
    expect(await accept(folder, fact)).toMatchObject({
      code: 1,
      said: expect.stringContaining("posbridge journal accept 6"),
    });
    expect(fs.readFileSync(witnessOf(folder))).toEqual(before);
    expect(await refusalOf(folder)).toContain("may be missing");
  });

  it("is not accepted where it is damaged itself", async () => {
    const folder = await written();
    fs.rmSync(witnessOf(folder));
    const bytes = fs.readFileSync(path.join(folder, "journal.db"));
    const at = bytes.indexOf('"n":3');
    fs.writeFileSync(path.join(folder, "journal.db"), bytes.fill("4", at + 4, at + 5));
    expect(await accept(folder, "6")).toMatchObject({
      code: 1,
      said: expect.stringContaining("fact 3 was changed; restore the last backup"),
    });
  });

  it("is not accepted where it holds nothing: it would begin anew beside what was sold", async () => {
    const folder = freshFolder();
    await (await open(folder)).close();
    fs.rmSync(witnessOf(folder));
    expect(await refusalOf(folder)).toMatch(
      /facts after 0 may be missing; restore the last backup \(docs\/journal\.md\)$/,
    );
    expect(await accept(folder, "0")).toMatchObject({ code: 2 });
  });
});

it("a journal whose witness is sound needs nobody's word, and a folder without one has none to give", async () => {
  const folder = await written();
  expect(await accept(folder, "6")).toEqual({
    code: 0,
    said: "the journal and its witness are sound: there is nothing to accept",
  });
  expect(await accept(freshFolder(), "6")).toMatchObject({
    code: 2,
    said: expect.stringContaining("holds no journal"),
  });
  expect(await accept(folder, "six")).toMatchObject({
    code: 2,
    said: expect.stringContaining("name the last fact by its number"),
  });
});
