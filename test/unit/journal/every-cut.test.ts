import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JournalRefused } from "../../../src/journal/refusal.ts";
import { type OpenJournal, openJournal } from "../../../src/journal/sqlite-journal.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { runsOf, sampleOf } from "../../support/dose.ts";
import { DATABASE, factsIn, type Image, INDEX, imageOf, KINDS, LOG, read, WITNESS } from "./image.ts";
import { AT, paymentRow } from "./payment-row.ts";

/*
 * The law: a journal that opens holds every fact that was acknowledged, to the letter, or it does not open and says
 * which file and what to do. Never less in
 * silence. Proven for a cut at every page and every frame of every file, at bytes between, for a flipped byte in every
 * page, and for each of these with
 * the witness whole, gone, cut or spoilt, and the log's index there, gone or cut.
 *
 * One thing cannot be seen from within, because it is exactly what the folder once was: log and witness put back
 * together to one earlier moment.
 */

const PAGE = 4096;
/** Of the log (sqlite.org/fileformat2, 4.1): a header of 32 bytes, then frames of 24 bytes and a page. */
const LOG_HEADER = 32;
const FRAME = 24 + PAGE;
const SEED = 20_260_203;
const MEND = /restore the last backup|put it back|install a newer posbridge|then try again/;

type Change = ReadonlyMap<string, Buffer | undefined>;
type Verdict = "whole" | "refused" | "older";

let place = "";
beforeAll(() => {
  place = fs.mkdtempSync(path.join(tmpdir(), "posbridge-cuts-"));
});
afterAll(() => fs.rmSync(place, { recursive: true }));

/**
 * Opens the files of the image with some of them changed, and says how it went. `atLeast`: how many facts the witness
 * that lies there knows of.
 */
async function outcome(image: Image, change: Change, atLeast = image.facts.length): Promise<Verdict> {
  const folder = fs.mkdtempSync(path.join(place, "cut-"));
  const files = new Map<string, Buffer>();
  for (const [name, content] of [...image.files, ...change]) {
    if (content === undefined) files.delete(name);
    else files.set(name, content);
  }
  for (const [name, content] of files) fs.writeFileSync(path.join(folder, name), content);
  try {
    const journal = await openJournal({
      dataDir: folder,
      environment: "test",
      clock: systemClock,
      random: systemRandom,
    });
    return await verdictOf(image, journal, folder, atLeast);
  } catch (thrown) {
    if (!(thrown instanceof JournalRefused)) throw thrown;
    expect(thrown.message).toMatch(/journal\.(db|witness)/);
    expect(thrown.message).toMatch(MEND);
    expect(thrown.message).not.toContain("\n");
    const lost = [DATABASE, LOG, WITNESS].filter(
      (name) =>
        files.get(name)?.equals(fs.existsSync(path.join(folder, name)) ? read(folder, name) : Buffer.of(0)) === false,
    );
    expect([[...change].map(([name, content]) => [name, content?.length]), lost]).toEqual([expect.anything(), []]);
    return "refused";
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** What opened must hold everything, and go on. A closed payment may be damaged where each proof of it is refused. */
async function verdictOf({ facts }: Image, journal: OpenJournal, folder: string, atLeast: number): Promise<Verdict> {
  try {
    const kept = factsAsWritten(folder);
    if (kept === undefined) {
      await expect(journal.prove(async () => true)).rejects.toThrow(JournalRefused);
      return "refused";
    }
    expect(kept).toEqual(facts.slice(0, kept.length));
    expect(kept.length).toBeGreaterThanOrEqual(atLeast);
    expect(await journal.append([{ fact: "next" }], AT, paymentRow(999))).toEqual({ last: kept.length + 1 });
    return kept.length === facts.length ? "whole" : "older";
  } finally {
    await journal.close();
  }
}

/** Undefined if one of them was changed. */
function factsAsWritten(folder: string): ReturnType<typeof factsIn> | undefined {
  try {
    return factsIn(folder);
  } catch {
    return undefined;
  }
}

/** In one run of one kind of journal. */
const FEW = { cuts: 5, ends: 3, witnesses: 3, pages: 4 };

const range = (length: number): readonly number[] => Array.from({ length }, (_, n) => n);

/**
 * Every length before the whole one at which a page ends, and of the log every one at which a frame ends or its page
 * begins.
 */
function endsOf(name: string, length: number): readonly number[] {
  const pages = range(Math.ceil(length / PAGE)).map((page) => page * PAGE);
  const frames =
    name === LOG
      ? range(Math.ceil(length / FRAME)).flatMap((frame) => [
          LOG_HEADER + frame * FRAME,
          LOG_HEADER + frame * FRAME + 24,
        ])
      : [];
  return [...new Set([0, ...pages, ...frames])].filter((end) => end < length).toSorted((a, b) => a - b);
}

/** Those, and lengths between, some at the edges and some drawn from the seed. */
function cutsOf(name: string, length: number): readonly number[] {
  const random = seededRandom(SEED + length);
  const odd = [1, 16, 31, 33, 100, length - 1, length >> 1, ...range(30).map(() => random.below(length))];
  return [...new Set([...endsOf(name, length), ...odd])].filter((end) => end >= 0 && end < length);
}

const cut = (image: Image, name: string, length: number): Buffer =>
  (image.files.get(name) ?? Buffer.alloc(0)).subarray(0, length);

/** The salts of the log's frames: each time that a log is begun anew has its own (sqlite.org/fileformat2, 4.1). */
function saltsOf(image: Image): ReadonlySet<string> {
  const log = image.files.get(LOG) ?? Buffer.alloc(0);
  return new Set(
    range(Math.max(0, Math.floor((log.length - LOG_HEADER) / FRAME))).map((frame) =>
      log.toString("hex", LOG_HEADER + frame * FRAME + 8, LOG_HEADER + frame * FRAME + 16),
    ),
  );
}

/** The witness gone, spoilt in one of its two places, and cut in the first, between the two, and in the second. */
function spoiltWitnesses(image: Image): readonly (readonly [string, Buffer | undefined])[] {
  const lengths = [0, 60, PAGE, PAGE + 60];
  const rubbish = (slot: 0 | 1): Buffer => {
    const bytes = Buffer.from(image.files.get(WITNESS) ?? Buffer.alloc(0));
    return bytes.fill(0xa5, slot * PAGE + 30, slot * PAGE + 40);
  };
  return [
    ["gone", undefined],
    ["spoilt in its first place", rubbish(0)],
    ["spoilt in its second place", rubbish(1)],
    ...lengths.map((length) => [`cut to ${length}`, cut(image, WITNESS, length)] as const),
  ];
}

describe.each(KINDS)("a journal with %s", (kind) => {
  let image: Image;
  beforeAll(async () => {
    image = await imageOf(kind, fs.mkdtempSync(path.join(place, "made-")), SEED);
  });

  it("is what its name says, and opens whole as it is, with its log's index there, gone, cut or full of rubbish", async () => {
    const log = image.files.get(LOG)?.length ?? 0;
    const used = saltsOf(image);
    expect({ log: log > 20 * FRAME, generations: used.size }).toEqual(
      {
        "all in the log": { log: true, generations: 1 },
        "some in the database": { log: true, generations: 1 },
        "a log begun anew": { log: true, generations: 2 },
        "all in the database": { log: false, generations: 0 },
      }[kind],
    );
    expect(image.facts.length).toBeGreaterThan(60);
    const index = image.files.get(INDEX) ?? Buffer.alloc(32_768);
    for (const bytes of [
      index,
      undefined,
      index.subarray(0, PAGE),
      index.subarray(0, 100),
      Buffer.alloc(0),
      Buffer.alloc(32_768, 0xa5),
    ]) {
      expect(await outcome(image, new Map([[INDEX, bytes]]))).toBe("whole");
    }
  });

  it("is refused, or whole, after a cut anywhere in the database or its log, the index there or not", async () => {
    for (const name of [DATABASE, LOG]) {
      const cuts = sampleOf(cutsOf(name, image.files.get(name)?.length ?? 0), FEW.cuts);
      const seen = new Set<Verdict>();
      for (const length of cuts) {
        for (const index of [image.files.get(INDEX), undefined]) {
          const verdict = await outcome(
            image,
            new Map([
              [name, cut(image, name, length)],
              [INDEX, index],
            ]),
          );
          expect([name, length, verdict === "older"]).toEqual([name, length, false]);
          seen.add(verdict);
        }
      }
      if (name === DATABASE || cuts.length > 0) expect(seen).toContain("refused");
    }
  });

  it("is refused, or whole, after cuts at every end of a page or frame with the log lost, or with the witness gone or cut", async () => {
    for (const name of [DATABASE, LOG]) {
      for (const length of sampleOf(endsOf(name, image.files.get(name)?.length ?? 0), FEW.ends)) {
        const bytes = cut(image, name, length);
        if (name === DATABASE)
          expect([
            length,
            await outcome(image, new Map([...[LOG, INDEX].map((gone) => [gone, undefined] as const), [name, bytes]])),
          ]).toEqual([length, "refused"]);
        for (const [how, witness] of sampleOf(spoiltWitnesses(image), FEW.witnesses)) {
          // Neither database nor log nor witness: an empty folder.
          if (length === 0 && witness === undefined && kind === "all in the database") continue;
          const verdict = await outcome(
            image,
            new Map([
              [name, bytes],
              [INDEX, undefined],
              [WITNESS, witness],
            ]),
          );
          expect([name, length, how, verdict === "older"]).toEqual([name, length, how, false]);
        }
      }
    }
  });

  it("is whole, or refused, with the witness alone gone or cut", async () => {
    for (const [how, witness] of [
      ...spoiltWitnesses(image),
      ...sampleOf(cutsOf(WITNESS, 2 * PAGE), FEW.cuts).map(
        (length) => [`cut to ${length}`, cut(image, WITNESS, length)] as const,
      ),
    ]) {
      expect([how, await outcome(image, new Map([[WITNESS, witness]]))]).not.toEqual([how, "older"]);
    }
    expect(await outcome(image, new Map([[WITNESS, undefined]]))).toBe("refused");
    expect(await outcome(image, new Map([[WITNESS, Buffer.alloc(0)]]))).toBe("refused");
  });

  it("is whole with a witness of an earlier moment, and after a cut never holds less than that witness knows", async () => {
    const { witness, number } = image.older;
    expect(await outcome(image, new Map([[WITNESS, witness]]))).toBe("whole");
    for (const name of [DATABASE, LOG]) {
      for (const length of sampleOf(endsOf(name, image.files.get(name)?.length ?? 0), FEW.ends)) {
        await outcome(
          image,
          new Map([
            [name, cut(image, name, length)],
            [INDEX, undefined],
            [WITNESS, witness],
          ]),
          number,
        );
      }
    }
  });

  it("is refused, or whole, with a byte changed in any page of any file", async () => {
    const random = seededRandom(SEED + 1);
    let refused = 0;
    for (const name of [DATABASE, LOG, WITNESS]) {
      const sound = image.files.get(name) ?? Buffer.alloc(0);
      for (const page of sampleOf(
        range(Math.ceil(sound.length / PAGE)).map((at) => at * PAGE),
        FEW.pages,
      )) {
        const room = Math.min(PAGE, sound.length - page);
        for (const at of [0, 24, 100, random.below(room), random.below(room), random.below(room)].filter(
          (offset) => offset < room,
        )) {
          const bytes = Buffer.from(sound);
          bytes[page + at] = (bytes[page + at] ?? 0) ^ (1 + random.below(255));
          const verdict = await outcome(image, new Map([[name, bytes]]));
          expect([name, page + at, verdict === "older"]).toEqual([name, page + at, false]);
          if (verdict === "refused") refused += 1;
        }
      }
    }
    expect(refused).toBeGreaterThan(runsOf(8, 30));
  });
});
