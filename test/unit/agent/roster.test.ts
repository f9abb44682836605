import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { miuraM020 } from "../../../drivers/miura-m020/driver.ts";
import type { terminalLine } from "../../../src/agent/lines.ts";
import { dataFolderTerminals, openPairedStore, openRoster } from "../../../src/agent/roster.ts";
import { openTerminal } from "../../../src/agent/terminals.ts";
import { listAtRest, withTerminalsAtRest } from "../../../src/agent/terminals-at-rest.ts";
import {
  EMPTY_BOOK,
  type PairedBook,
  pairedBookText,
  withPaired,
  withReplaced,
} from "../../../src/config/paired-book.ts";
import { parseConfiguration } from "../../../src/config/parse.ts";
import { openKnownTerminals } from "../../../src/journal/known-terminals.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { SMALLEST, surroundings } from "../config/surroundings.ts";

const said = { at: "2026-03-01T10:00:00.000Z", by: "anna" };
const bar = {
  id: "bar",
  model: "miura-m020",
  connection: { serial: "/dev/ttyACM1" },
  options: {},
  terminalId: "20000001",
};
const inBoth = withPaired(EMPTY_BOOK, { ...said, terminal: { ...bar, id: "till-1" } });
const fileSays = { model: "miura-m020", connection: { serial: "/dev/ttyACM0" }, options: {}, terminalId: "12345678" };

/** A configuration whose data folder holds this text as its paired terminals. */
function shop(text: string) {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-roster-"));
  onTestFinished(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  fs.chmodSync(dataDir, 0o700);
  fs.writeFileSync(path.join(dataDir, "paired-terminals.json"), text, { mode: 0o600 });
  const reading = parseConfiguration(SMALLEST, "/etc/posbridge/posbridge.yaml", surroundings());
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return { ...reading.configuration, dataDir };
}

function start(file: ReturnType<typeof shop>) {
  const logged: string[] = [];
  const say = (_: object, message: string): void => void logged.push(message);
  const ports = {
    ...{
      clock: createVirtualClock(0),
      random: seededRandom(1),
      log: { debug: say, info: say, warn: say, error: say },
      known: openKnownTerminals(file.dataDir),
    },
    ...{
      localTime: () => ({ date: "260115", time: "101500" }),
      metrics: { linkOpened: () => undefined, linkLost: () => undefined, frameFailed: () => undefined },
      traces: new Map(),
    },
  };
  const roster = openRoster({ file, models: [miuraM020], store: openPairedStore(file.dataDir), ports });
  return { roster, logged };
}

it("a start has the paired terminals, and says that there are some", () => {
  const { roster, logged } = start(
    shop(
      pairedBookText({
        ...withPaired(EMPTY_BOOK, { ...said, terminal: bar }),
        changes: [{ ...said, did: "paired", terminal: "bar" }],
      }),
    ),
  );
  expect(roster.terminals.list().map(({ id, connection }) => `${id} ${connection}`)).toEqual([
    "till-1 serial /dev/ttyACM0",
    "bar serial /dev/ttyACM1",
  ]);
  expect(logged).toEqual(["terminals of this data folder"]);
});

it.each([
  [
    "cut short",
    "{",
    /paired-terminals\.json cannot be used: it is no JSON; restore it from a backup, or move it away and pair/,
  ],
  [
    "changed by hand",
    pairedBookText(inBoth).replace("20000001", "x"),
    /paired\[0\]\.terminal\.terminalId must be 1 to 32 digits/,
  ],
  [
    "at odds with the file",
    pairedBookText(inBoth),
    /does not go with \/etc\/posbridge\/posbridge\.yaml: terminal till-1: id is in the configuration file and paired.*terminals unpair till-1/,
  ],
])(
  "a start is refused where the file of paired terminals is %s, with the mend; check-config says the same",
  (_, text, problem) => {
    const file = shop(text);
    expect(() => start(file)).toThrow(problem);
    expect(dataFolderTerminals(file, surroundings().models)).toEqual({
      ok: false,
      problems: [expect.stringMatching(problem)],
    });
  },
);

it("check-config tells of every terminal that the data folder has a word on", () => {
  const book: PairedBook = withReplaced(withPaired(EMPTY_BOOK, { ...said, terminal: bar }), {
    ...{ ...said, id: "till-1", fileSays, now: { ...fileSays, connection: { tcp: "10.0.0.9:4000" } } },
  });
  expect(dataFolderTerminals(shop(pairedBookText(book)), surroundings().models)).toEqual({
    ok: true,
    notes: [
      {
        terminal: "bar",
        note: "miura-m020 at serial /dev/ttyACM1, paired in the data folder on 2026-03-01T10:00:00.000Z by anna",
      },
      {
        terminal: "till-1",
        note: expect.stringContaining(
          "is miura-m020 at tcp 10.0.0.9:4000 instead of what the file says: replaced on 2026-03-01",
        ),
      },
    ],
  });
  expect(
    listAtRest(shop(pairedBookText(book)), [miuraM020]).map(({ id, paired, replaced, connection }) => ({
      id,
      paired,
      replaced,
      connection,
    })),
  ).toEqual([
    { id: "till-1", paired: false, replaced: true, connection: "tcp 10.0.0.9:4000" },
    { id: "bar", paired: true, replaced: undefined, connection: "serial /dev/ttyACM1" },
  ]);
});

it("a terminal that the file names too can be unpaired while no bridge runs, and the start goes on", async () => {
  const file = shop(pairedBookText(inBoth));
  const reply = await withTerminalsAtRest(file, [miuraM020], { warn: () => undefined }, (handlers) =>
    handlers["terminals.unpair"]({ by: "anna", terminal: "till-1" }),
  );
  expect(reply).toEqual({ ok: true, value: {} });
  expect(
    start(file)
      .roster.terminals.list()
      .map(({ id }) => id),
  ).toEqual(["till-1"]);
});

it("the file is only replaced as a whole: a write that fails leaves the book as it was", () => {
  const file = shop(pairedBookText(EMPTY_BOOK));
  const store = openPairedStore(file.dataDir);
  fs.mkdirSync(path.join(file.dataDir, "paired-terminals.json.new"));
  expect(() => store.keep(inBoth)).toThrow("EISDIR");
  expect(store.book()).toEqual(EMPTY_BOOK);
  expect(openPairedStore(file.dataDir).book()).toEqual(EMPTY_BOOK);
});

it("a device that was just paired is followed by what it is known by from then on, and by nothing of one before it", () => {
  const file = shop(pairedBookText(EMPTY_BOOK));
  const known = openKnownTerminals(file.dataDir);
  known.remember("till-1", { serialNumber: "old" });
  let asked: () => object = () => ({});
  const lineTo: typeof terminalLine = (_, on) => {
    asked = on.known;
    return { open: () => Promise.reject(new Error("no line here")), place: () => ({}) };
  };
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const ports = {
    ...{ clock: createVirtualClock(0), random: seededRandom(1), log: silent, known, lineTo, traces: new Map() },
    ...{
      localTime: () => ({ date: "260115", time: "101500" }),
      metrics: { linkOpened: () => undefined, linkLost: () => undefined, frameFailed: () => undefined },
    },
  };
  const [terminal] = file.terminals;
  if (terminal === undefined) throw new RangeError("the file has a terminal");
  const opened = openTerminal(terminal, { configuration: () => file, models: [miuraM020], isNew: true }, ports);
  expect(asked()).toEqual({});
  known.remember("till-1", { serialNumber: "new" });
  opened.serve();
  expect(asked()).toEqual({ serialNumber: "new" });
});
