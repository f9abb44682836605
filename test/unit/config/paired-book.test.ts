import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  EMPTY_BOOK,
  isPaired,
  isSameDevice,
  type PairedBook,
  pairedBookText,
  parsePairedBook,
  withChange,
  withDevice,
  withLabel,
  withoutPaired,
  withPaired,
  withReplaced,
} from "../../../src/config/paired-book.ts";

const AT = "2026-03-01T10:00:00.000Z";
const said = { at: AT, by: "anna" };
const device = { model: "miura-m020", connection: { serial: "/dev/ttyACM1" }, options: {}, terminalId: "1" };
const terminal = { id: "bar", ...device };
const paired = withPaired(EMPTY_BOOK, { ...said, terminal });

const books: fc.Arbitrary<PairedBook> = fc
  .array(
    fc.record({
      id: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,10}$/),
      serial: fc.stringMatching(/^\/dev\/[a-z0-9]{1,8}$/),
      label: fc.option(fc.stringMatching(/^[A-Za-z ,äöü]{1,20}$/)),
    }),
    { maxLength: 5 },
  )
  .map((entries) =>
    entries.reduce(
      (book, { id, serial, label }) =>
        withLabel(
          withPaired(book, { ...said, terminal: { ...terminal, id, connection: { serial } } }),
          id,
          label ?? undefined,
        ),
      EMPTY_BOOK,
    ),
  );

describe("the book of paired terminals", () => {
  it("reads as it was written", () => {
    fc.assert(
      fc.property(books, (book) => {
        expect(parsePairedBook(pairedBookText(book))).toEqual({ ok: true, book });
      }),
    );
  });

  it("never takes text for a book that it did not write, and never throws", () => {
    const damaged = fc.tuple(books, fc.nat(), fc.nat(255)).map(([book, at, byte]) => {
      const text = Buffer.from(pairedBookText(book));
      text[at % text.length] = byte;
      return text.toString("latin1");
    });
    const isWhole = (text: string): boolean => {
      const reading = parsePairedBook(text);
      return !reading.ok || parsePairedBook(pairedBookText(reading.book)).ok;
    };
    fc.assert(fc.property(fc.oneof(damaged, fc.string()), isWhole));
  });

  it.each([
    ["", "it is no JSON"],
    ["{", "it is no JSON"],
    ["[]", /object/],
    [JSON.stringify({ ...paired, version: 2 }), "version is of another version; run the posbridge that wrote it"],
    [
      JSON.stringify({ ...paired, paired: [{ ...said, terminal: { ...terminal, terminalId: "x" } }] }),
      /^paired\[0\]\.terminal\.terminalId must be 1 to 32 digits/,
    ],
    [JSON.stringify({ ...paired, paired: [{ terminal }] }), /^paired\[0\]\.at /],
    [JSON.stringify({ ...paired, more: 1 }), /more/],
  ])("says of %j what is wrong", (text, problem) => {
    const reading = parsePairedBook(text);
    expect(reading).toEqual({
      ok: false,
      problem: typeof problem === "string" ? problem : expect.stringMatching(problem),
    });
  });

  it("has a terminal until it is unpaired, and then neither it nor its label", () => {
    const labelled = withLabel(paired, "bar", "Bar");
    expect(isPaired(labelled, "bar")).toBe(true);
    expect(withoutPaired(labelled, "bar")).toEqual(EMPTY_BOOK);
    expect(withLabel(labelled, "bar", undefined).labels).toEqual({});
  });

  it("gives a terminal another device without what belonged to the one before", () => {
    const full = withPaired(EMPTY_BOOK, {
      ...said,
      terminal: { ...terminal, deviceType: "MIURA_M020", deviceId: "7", entityId: "8a8294174b7ecb28014b9699220015ca" },
    });
    const next = { ...device, model: "pax-d180", connection: { tcp: "10.0.0.9:1" } };
    expect(withDevice(full, "bar", next).paired).toEqual([
      { ...said, terminal: { id: "bar", ...next, entityId: "8a8294174b7ecb28014b9699220015ca" } },
    ]);
  });

  it("keeps no replacement of which the file says the same", () => {
    const now = { ...device, connection: { serial: "/dev/ttyACM2" } };
    const replaced = withReplaced(EMPTY_BOOK, { ...said, id: "till-1", fileSays: device, now });
    expect(replaced.replaced).toEqual([{ ...said, id: "till-1", fileSays: device, now }]);
    expect(withReplaced(replaced, { ...said, id: "till-1", fileSays: device, now: device }).replaced).toEqual([]);
  });

  it("takes devices for the same whatever the order of their options, and no others", () => {
    const options = (...names: readonly string[]) => ({
      ...device,
      options: Object.fromEntries(names.map((name) => [name, "1"])),
    });
    expect(isSameDevice(options("a", "b"), options("b", "a"))).toBe(true);
    expect(isSameDevice(options("a"), options("b"))).toBe(false);
    expect(isSameDevice(device, { ...device, deviceId: "1" })).toBe(false);
    expect(
      isSameDevice({ ...device, connection: { tcp: "a:1" } }, { ...device, connection: { websocket: "a:1" } }),
    ).toBe(false);
  });

  it("keeps the last 500 changes", () => {
    const changed = Array.from({ length: 501 }, (_, at) => ({
      ...said,
      did: "renamed" as const,
      terminal: `t-${at}`,
    })).reduce(withChange, EMPTY_BOOK);
    expect(changed.changes).toHaveLength(500);
    expect(changed.changes.at(-1)?.terminal).toBe("t-500");
    expect(changed.changes[0]?.terminal).toBe("t-1");
  });
});
