import { expect, it } from "vitest";
import { watchDisk } from "../../../src/agent/disk-watch.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const MB = 1_000_000;
const MINUTE = 60_000;
const NO_ROOM = "the data folder's disk has no room, or takes no writes";
const FILLING = "the data folder's disk is filling up, or cannot be looked at";
const WELL = "the data folder's disk is well again";

function watched(seen: { freeMb: number; writeProblem?: string }) {
  const clock = createVirtualClock(0);
  const said: [string, object][] = [];
  const note = (fields: object, message: string): void => void said.push([message, fields]);
  let alarms = 0;
  const stop = watchDisk({
    clock,
    log: { error: note, warn: note, info: note },
    metrics: {
      alarmRaised: () => {
        alarms += 1;
      },
    },
    look: async () => {
      const { writeProblem } = seen;
      const journal = writeProblem !== undefined && {
        journal: { writeProblem, bytes: undefined, facts: 0, rolledBack: false },
      };
      return { disk: { freeBytes: seen.freeMb * MB, allBytes: 16_000 * MB }, ...journal };
    },
  });
  const told = (): string[] => said.splice(0).map(([message]) => message);
  return { clock, said, told, stop, alarms: () => alarms };
}

it("an idle bridge warns of a disk that fills up, raises an alarm of one that is full, and tells when it is well", async () => {
  const disk = { freeMb: 400 };
  const { clock, said, told, alarms } = watched(disk);
  await clock.settle();
  expect(said).toEqual([
    [FILLING, { problem: "400 MB of 16.0 GB are free.", mend: "Make room on the data folder's disk." }],
  ]);
  told();
  disk.freeMb = 10;
  await clock.advance(MINUTE);
  expect(said).toEqual([
    [NO_ROOM, { alarm: true, problem: "10 MB of 16.0 GB are free.", mend: "Make room on the data folder's disk." }],
  ]);
  expect([told(), alarms()]).toEqual([[NO_ROOM], 1]);
  disk.freeMb = 9_000;
  await clock.advance(MINUTE);
  expect(told()).toEqual([WELL]);
  await clock.advance(60 * MINUTE);
  expect(told()).toEqual([]);
});

it("what lasts is told again: an alarm each five minutes, a warning each hour", async () => {
  const full = watched({ freeMb: 0 });
  await full.clock.advance(14 * MINUTE);
  expect(full.told()).toEqual([NO_ROOM, NO_ROOM, NO_ROOM]);
  const filling = watched({ freeMb: 400 });
  await filling.clock.advance(119 * MINUTE);
  expect(filling.told()).toEqual([FILLING, FILLING]);
});

it("a disk that went read-only has room, and is told by the journal", async () => {
  const { clock, said } = watched({ freeMb: 9_000, writeProblem: "attempt to write a readonly database" });
  await clock.settle();
  expect(said).toEqual([
    [
      NO_ROOM,
      {
        alarm: true,
        problem: "The journal takes no writes: attempt to write a readonly database.",
        mend: expect.stringContaining("no payment is accepted"),
      },
    ],
  ]);
});

it("ends with the bridge", async () => {
  const { clock, told, stop } = watched({ freeMb: 0 });
  stop();
  await clock.settle();
  expect([told(), clock.pending()]).toEqual([[], 0]);
});
