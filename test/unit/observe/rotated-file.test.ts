import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { linesTo } from "../../../src/observe/lines-to-file.ts";
import { type MoveOn, openRotatedFile, type RotatedFileSettings } from "../../../src/observe/rotated-file.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-log-"));
  file = path.join(folder, "posbridge.log");
  const made = folder;
  onTestFinished(() => fs.rmSync(made, { recursive: true }));
});

async function open(settings: Partial<RotatedFileSettings> = {}, on?: MoveOn) {
  const clock = createVirtualClock(0);
  const place = await openRotatedFile({ file, maxBytes: 100, keep: 3, ...settings }, clock, on);
  const write = (text: string): Promise<{ error: Error | null; taken: number }> =>
    new Promise((resolve) => place.write(Buffer.from(text), (error, taken) => resolve({ error, taken })));
  return { clock, place, write };
}

const line = (n: number): string => `line ${String(n).padStart(4, "0")} ${"x".repeat(29)}\n`;
const read = (name: string): string => fs.readFileSync(path.join(folder, name), "utf8");
const all = (names: readonly string[]): string => names.map(read).join("");

describe("a log file", () => {
  it("is put aside before it grows past its size, and the oldest goes", async () => {
    const { write } = await open();
    for (let n = 1; n <= 11; n += 1) expect(await write(line(n))).toEqual({ error: null, taken: 40 });
    expect(fs.readdirSync(folder).sort()).toEqual([
      "posbridge.log",
      "posbridge.log.1",
      "posbridge.log.2",
      "posbridge.log.3",
    ]);
    expect(all(["posbridge.log.3", "posbridge.log.2", "posbridge.log.1", "posbridge.log"])).toBe(
      [5, 6, 7, 8, 9, 10, 11].map(line).join(""),
    );
  });

  it("is its owner's alone, also where it was made otherwise", async () => {
    fs.writeFileSync(file, "", { mode: 0o644 });
    const { write } = await open();
    for (let n = 1; n <= 4; n += 1) await write(line(n));
    for (const name of fs.readdirSync(folder)) expect(fs.statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it("goes on where the last process ended, behind a line that was cut off", async () => {
    fs.writeFileSync(file, "cut o");
    const { write } = await open();
    expect(await write("next\n")).toEqual({ error: null, taken: 5 });
    await write("and one\n");
    expect(read("posbridge.log")).toBe("cut o\nnext\nand one\n");
  });

  it("is never rotated within a line", async () => {
    const { write } = await open();
    await write(line(1));
    await write("the first half of a line, ");
    await write(`and the second half, which is long enough for the limit${"!".repeat(40)}\n`);
    await write(line(2));
    expect(read("posbridge.log.1")).toMatch(/\n$/);
    expect(read("posbridge.log")).toBe(line(2));
  });

  it("is begun anew where somebody moved or removed it", async () => {
    const { write, clock } = await open();
    await write(line(1));
    fs.renameSync(file, path.join(folder, "taken"));
    await clock.advance(5_000);
    await write(line(2));
    expect([read("taken"), read("posbridge.log")]).toEqual([line(1), line(2)]);
  });

  it("that cannot be rotated is written on to twice its size; then lines are refused until it can be", async () => {
    fs.mkdirSync(path.join(folder, "posbridge.log.1", "in the way"), { recursive: true });
    fs.mkdirSync(path.join(folder, "posbridge.log.2", "in the way"), { recursive: true });
    const { write } = await open({ keep: 2 });
    for (let n = 1; n <= 5; n += 1) expect((await write(line(n))).error).toBeNull();
    expect((await write(line(6))).error?.message).toMatch(/rename/);
    expect(fs.statSync(file).size).toBe(200);
    fs.rmSync(path.join(folder, "posbridge.log.1"), { recursive: true });
    expect((await write(line(7))).error).toBeNull();
    expect([read("posbridge.log.1"), read("posbridge.log")]).toEqual([[1, 2, 3, 4, 5].map(line).join(""), line(7)]);
  });

  async function whileTimePasses<T>(clock: VirtualClock, done: Promise<T>): Promise<T> {
    let isDone = false;
    const ended = done.finally(() => {
      isDone = true;
    });
    while (!isDone) await clock.runUntilIdle();
    return ended;
  }

  /** Another program has the newest file open for so many tries to move it. */
  function heldFor(tries: number, platform: MoveOn["platform"]): MoveOn {
    let left = tries;
    const rename = async (from: string, to: string): Promise<void> => {
      left -= from === file ? 1 : 0;
      if (left >= 0)
        throw Object.assign(new Error(`EBUSY: resource busy or locked, rename '${from}'`), { code: "EBUSY" });
      await fs.promises.rename(from, to);
    };
    return { platform, rename };
  }

  it.each<[MoveOn["platform"], number, object]>([
    ["windows", 1, { asideAt: 4, waitedMs: 0, lost: 0 }],
    ["windows", 3, { asideAt: 6, waitedMs: 0, lost: 0 }],
    ["windows", 6, { asideAt: 6, waitedMs: 70, lost: 0 }],
    ["windows", 12, { asideAt: undefined, waitedMs: 1000, lost: 1 }],
    ["linux", 4, { asideAt: undefined, waitedMs: 0, lost: 1 }],
  ])(
    "that another program holds on %s, for %i tries, is waited for once there is no room left",
    async (platform, tries, outcome) => {
      const { write, clock } = await open({}, heldFor(tries, platform));
      let asideAt: number | undefined;
      let lost = 0;
      for (let n = 1; n <= 6; n += 1) {
        const { error } = await whileTimePasses(clock, write(line(n)));
        lost += error === null ? 0 : 1;
        if (fs.existsSync(`${file}.1`)) asideAt ??= n;
      }
      expect({ asideAt, waitedMs: clock.monotonic(), lost }).toEqual(outcome);
    },
  );

  it("on a disk that is full loses lines, counts them and says so", async () => {
    const { place, clock } = await open({ file: "/dev/full" });
    const said = path.join(folder, "said");
    const tell = fs.openSync(said, "w");
    const lines = linesTo(place, tell, clock);
    lines.stream.write(line(1));
    lines.stream.write(line(2));
    await lines.written(1_000);
    expect(lines.lost()).toBe(2);
    await expect.poll(() => fs.readFileSync(said, "utf8")).toMatch(/^posbridge: the log cannot be written \(ENOSPC/);
    fs.closeSync(tell);
  });

  it("loses nothing and keeps the order, whatever the lines are like", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 150 }), { maxLength: 40 }), async (lengths) => {
        for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name));
        const { place, clock } = await open({ keep: 100 });
        const lines = linesTo(place, 2, clock);
        const texts = lengths.map((length, at) => `${String(at).padEnd(length, ".")}\n`);
        for (const text of texts) lines.stream.write(text);
        await lines.written(60_000);
        const aside = fs
          .readdirSync(folder)
          .flatMap((name) => (name === "posbridge.log" ? [] : [Number(name.slice("posbridge.log.".length))]));
        const names = aside.toSorted((a, b) => b - a).map((n) => `posbridge.log.${n}`);
        expect(all([...names, "posbridge.log"])).toBe(texts.join(""));
      }),
      { numRuns: 30 },
    );
  });
});
