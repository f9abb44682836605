import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { driverModels } from "../../../drivers/index.ts";
import type { Command } from "../../../src/card/command.ts";
import type { Notice } from "../../../src/card/notice.ts";
import { ascii } from "../../../src/kit/bytes.ts";
import { toHex } from "../../../src/kit/hex.ts";
import { isEnding } from "../../../src/terminal/command-book.ts";
import type { LinkEvent, TransportKind } from "../../../src/terminal/driver.ts";
import { LONGEST_QUEUE } from "../../../src/terminal/one-job.ts";
import { runsOf } from "../../support/dose.ts";
import { APPROVE, type Driver, type Happening, type Life } from "./driver-row.ts";
import { idtechVp3300 } from "./idtech-vp3300/row.ts";
import { ingenicoIpp350 } from "./ingenico-ipp350/row.ts";
import { magtekDynaflex } from "./magtek-dynaflex/row.ts";
import { magtekEdynamo } from "./magtek-edynamo/row.ts";
import { miuraM020 } from "./miura-m020/row.ts";
import { paxD180 } from "./pax-d180/row.ts";
import { verifoneP400 } from "./verifone-p400/row.ts";

const DRIVERS: readonly Driver[] = [
  miuraM020,
  idtechVp3300,
  magtekDynaflex,
  verifoneP400,
  ingenicoIpp350,
  paxD180,
  magtekEdynamo,
];

test("every driver has a row in this table", () => {
  expect(DRIVERS.map(({ driver }) => driver).toSorted()).toEqual(driverModels.map(({ id }) => id).toSorted());
});

/** Objects that never leave in clear, in whatever they are told. */
const SECRET_TAGS = ["56", "57", "5A", "5F20", "5F21", "5F22", "5F23", "5F24", "99", "9F1F", "9F20", "9F6B"];

const isVerdict = (notice: Notice): boolean => notice.on === "finished";
const isApproval = (notice: Notice): boolean => notice.on === "finished" && notice.verdict === "approved";

/** A notice as text, its bytes in hexadecimal and as letters. */
const shown = (notice: Notice): string =>
  JSON.stringify(notice, (_key, value: unknown) =>
    value instanceof Uint8Array ? `${toHex(value)} ${ascii(value)}` : value,
  );

const lines = DRIVERS.flatMap((driver) =>
  driver.transports.map((transport) => ({ ...driver, transport, title: `${driver.driver} over ${transport}` })),
);

/** A sale of the row, cut off after this part of it, and what happens then. */
interface Lived {
  readonly story: number;
  readonly part: number;
  readonly after: readonly Happening[];
}

describe.each(lines)("$title, whatever happens in whatever order", ({ transport, ...driver }) => {
  const stories = Object.values(driver.stories).map((story) => story(transport));
  const lives = (what: fc.Arbitrary<Happening> = driver.happening): fc.Arbitrary<Lived> =>
    fc.record({
      story: fc.nat({ max: stories.length - 1 }),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      after: fc.array(what, { maxLength: 40 }),
    });

  const live = ({ story, part, after }: Lived, each: (life: Life) => void = () => undefined): Life => {
    const life = driver.live(transport);
    const begun = stories[story] ?? [];
    for (const event of [{ on: "opened" } as const, ...begun.slice(0, Math.round(part * begun.length))]) {
      life.again([event]);
      each(life);
    }
    for (const what of after) {
      life.happens(what);
      each(life);
    }
    return life;
  };

  const sound = (life: Life): void => {
    const { link, job, queue } = life.oneJob();
    expect(life.tooLarge()).toEqual([]);
    expect(queue.length).toBeLessThanOrEqual(LONGEST_QUEUE);
    if (link === "up" && job.is !== "none") expect(life.clocks()).not.toEqual([]);
  };

  test("nothing is thrown, nothing grows, a running job has a clock, and every command ends exactly once", () => {
    fc.assert(
      fc.property(lives(), (lived) => {
        const life = live(lived, sound);
        life.bench.feed({ on: "closed" });
        const issued = life.bench.fed().filter(({ on }) => on === "command").length;
        const ended = new Set<number>();
        for (const notice of life.bench.told().filter(({ n }) => n > 0)) {
          expect(ended.has(notice.n)).toBe(false);
          if (isEnding(notice)) ended.add(notice.n);
        }
        expect([...ended].toSorted((a, b) => a - b)).toEqual(Array.from({ length: issued }, (_, at) => at + 1));
        expect(life.bench.timers()).toEqual({});
      }),
      { numRuns: runsOf(150, 1000) },
    );
  });

  test("nothing of a card is told in clear but what may leave so", () => {
    fc.assert(
      fc.property(
        lives(fc.oneof({ weight: 1, arbitrary: driver.happening }, { weight: 3, arbitrary: driver.deed })),
        (lived) => {
          for (const notice of live(lived).bench.told()) {
            const objects = notice.on === "card" ? notice.card.icc : notice.on === "finished" ? notice.emv : [];
            expect(objects.filter(({ tag }) => SECRET_TAGS.includes(tag))).toEqual([]);
            for (const number of driver.clear) expect(shown(notice)).not.toContain(number);
          }
        },
      ),
      { numRuns: runsOf(100, 700) },
    );
  });

  test("an approval is never told where the issuer did not approve", () => {
    const refusals = (["declined", "unable-to-go-online"] as const).map(
      (verdict): Command => ({ do: "complete", issuer: { verdict, arc: "3035", scripts: [] } }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...refusals), fc.array(driver.deed, { maxLength: 12 }), (command, after) => {
        const life = driver.live(transport);
        life.again(driver.held(transport));
        for (const what of [{ command }, ...after]) life.happens(what);
        expect(life.bench.told().filter(isApproval)).toEqual([]);
      }),
      { numRuns: runsOf(80, 500) },
    );
  });

  test("the same events lead to the same state and the same notices", () => {
    fc.assert(
      fc.property(lives(), (lived) => {
        const [first, second] = [live(lived).bench, live(lived).bench];
        expect(second.state()).toEqual(first.state());
        expect(second.told()).toEqual(first.told());
      }),
      { numRuns: 30 },
    );
  });
});

describe.each(lines)("$title, a sale by chip", ({ transport, ...driver }) => {
  const begun = beginningOf(driver, transport);
  const sale = saleOf(driver, transport);

  test("is approved, or declined by the card", () => {
    expect(toldBy(driver, transport, sale).filter(isVerdict)).toMatchObject([{ n: 3, verdict: "approved" }]);
    expect(toldBy(driver, transport, [...begun, ...driver.decline(transport)]).filter(isVerdict)).toMatchObject([
      { n: 3, verdict: "declined" },
    ]);
  });

  test("cut off anywhere ends every command, without a verdict", () => {
    for (let length = 1; length < sale.length; length += 1) {
      const told = toldBy(driver, transport, [...sale.slice(0, length), { on: "closed" }]);
      const issued = sale.slice(0, length).filter(({ on }) => on === "command").length;
      expect(told.filter(isVerdict)).toEqual([]);
      expect(told.filter((notice) => notice.n > 0 && isEnding(notice))).toHaveLength(issued);
    }
  });

  test("with one bit or byte changed in the final answers has no verdict but the card's own", () => {
    const changes = fc.oneof(
      fc.nat({ max: 7 }).map((bit) => 1 << bit),
      fc.integer({ min: 1, max: 255 }),
    );
    for (const [verdict, final] of [
      ["approved", driver.approval(transport)],
      ["declined", driver.decline(transport)],
    ] as const) {
      fc.assert(
        fc.property(fc.nat(), changes, (place, change) => {
          const others = toldBy(driver, transport, [...begun, ...changed(final, place, change)]).filter(
            (notice) => notice.on === "finished" && notice.verdict !== verdict,
          );
          expect(others).toEqual([]);
        }),
        { numRuns: runsOf(100, 700) },
      );
    }
  });
});

/** Lines whose chunks have no shape: a report of USB, and a message, come whole and in their order. */
const streams = lines.filter(({ transport }) => transport === "serial" || transport === "tcp");

describe.each(streams)("$title, a sale by chip on a line that is a stream", ({ transport, ...driver }) => {
  const sale = saleOf(driver, transport);

  test("is approved however the line cuts it", () => {
    for (let size = 1; size <= 40; size += 1) {
      const cut = sale.flatMap((event): readonly LinkEvent[] =>
        event.on === "bytes" ? piecesOf(event.bytes, size).map((bytes) => ({ on: "bytes", bytes })) : [event],
      );
      expect(toldBy(driver, transport, cut).filter(isVerdict)).toMatchObject([{ verdict: "approved" }]);
    }
  });

  test("is approved with anything harmless anywhere, even twice", () => {
    const first = sale.findIndex((event) => event.on === "command" && event.command.do === "collect");
    const inserts = fc.array(fc.tuple(fc.integer({ min: first + 1, max: sale.length }), driver.harmless), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(inserts, (harmless) => {
        const life = driver.live(transport);
        for (const [at, event] of sale.entries()) {
          for (const [where, what] of harmless) if (where === at) life.happens(what);
          life.again([event]);
        }
        expect(life.bench.told().filter(isVerdict)).toMatchObject([{ verdict: "approved" }]);
      }),
    );
  });
});

/** Up to the issuer's approval, which the card has not answered yet. */
function beginningOf(driver: Driver, transport: TransportKind): readonly LinkEvent[] {
  return [...driver.held(transport), { on: "command", n: 3, command: APPROVE }];
}

function saleOf(driver: Driver, transport: TransportKind): readonly LinkEvent[] {
  return [...beginningOf(driver, transport), ...driver.approval(transport)];
}

function toldBy(driver: Driver, transport: TransportKind, events: readonly LinkEvent[]): readonly Notice[] {
  const life = driver.live(transport);
  life.again(events);
  return life.bench.told();
}

function piecesOf(bytes: Uint8Array, size: number): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

/** The events with one byte changed: that at `place`, counted through all of them. */
function changed(events: readonly LinkEvent[], place: number, change: number): readonly LinkEvent[] {
  const total = events.reduce((sum, event) => sum + (event.on === "bytes" ? event.bytes.length : 0), 0);
  let left = place % total;
  return events.map((event) => {
    if (event.on !== "bytes") return event;
    const at = left;
    left -= event.bytes.length;
    if (at < 0 || at >= event.bytes.length) return event;
    return { on: "bytes", bytes: event.bytes.with(at, (event.bytes[at] ?? 0) ^ change) };
  });
}
