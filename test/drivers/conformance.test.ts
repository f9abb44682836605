import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { driverModels } from "../../drivers/index.ts";
import type { Command } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import { isEnding } from "../../src/terminal/command-book.ts";
import type { Deed, DriverModel, LinkEvent, TransportKind } from "../../src/terminal/driver.ts";
import { usualOptions } from "../../src/terminal/options.ts";

/*
 * What every model owes the session, known by nothing but the contract (src/terminal/driver.ts): it never throws, ends
 * every command exactly once, and asks for
 * nothing that a session cannot do. Each new model in the roster is held to it without a line here.
 */

const now = { date: "260115", time: "143000" };
const issuer: IssuerResponse = {
  verdict: "approved",
  arc: "3030",
  authentication: "1122334455667788",
  scripts: [{ tag: "72", value: "9F180400000001" }],
};
const request = {
  amount: 1234,
  currencyNumeric: "978",
  currencyCode: "EUR",
  decimals: 2,
  transactionType: "00",
  interfaces: ["chip", "contactless", "stripe", "keyed"],
  now,
  cardMs: 60_000,
  pinMs: 60_000,
} as const;

const commands: readonly Command[] = [
  { do: "identify" },
  { do: "idle" },
  { do: "cancel" },
  { do: "set-clock", now },
  { do: "collect", request },
  { do: "collect", request: { ...request, transactionType: "20" } },
  { do: "collect", request: { ...request, again: "chip-unreadable" } },
  { do: "collect", request: { ...request, again: "fallback", interfaces: ["stripe"] } },
  { do: "collect", request: { ...request, again: "wrong-pin", interfaces: ["chip"] } },
  { do: "collect", request: { ...request, again: "use-chip", interfaces: ["chip"] } },
  { do: "collect", request: { ...request, interfaces: ["keyed"] } },
  { do: "ask-pin", request },
  { do: "complete", issuer },
  { do: "display", lines: ["Thank you", "", "ä€\u0007", "a line that is longer than any display is wide"] },
];

/** Requests that a bug elsewhere could make: refused by a notice, never by an exception. */
const wrongCommands: readonly Command[] = [
  { do: "set-clock", now: { date: "", time: "noon" } },
  { do: "collect", request: { ...request, amount: Number.NaN, currencyNumeric: "EUR", now: { date: "x", time: "y" } } },
  { do: "collect", request: { ...request, interfaces: [] } },
  { do: "ask-pin", request },
  { do: "ask-pin", request: { ...request, amount: -1 } },
  {
    do: "complete",
    issuer: { verdict: "declined", arc: "", authentication: "zz", scripts: [{ tag: "71", value: "1" }] },
  },
  { do: "display", lines: [] },
];

interface Run {
  readonly deeds: readonly Deed[];
  readonly issued: number;
}

type Input = { readonly command: Command } | { readonly event: LinkEvent };

/**
 * Feeds inputs as a session does: a timer fires only while it runs, a link that is to be reopened is closed and opened.
 */
function run(model: DriverModel, transport: TransportKind, inputs: readonly Input[]): Run {
  const { first, turn } = model.start({ transport, options: usualOptions(model.options), now, seed: 7 });
  const deeds: Deed[] = [first];
  const timers = new Set<string>();
  let issued = 0;
  const feed = (event: LinkEvent): void => {
    const deed = turn(event);
    deeds.push(deed);
    for (const [name, delay] of Object.entries(deed.timers ?? {})) {
      if (delay === "clear") timers.delete(name);
      else timers.add(name);
    }
    if (deed.link === "reopen") {
      feed({ on: "closed" });
      feed({ on: "opened" });
    }
  };
  for (const input of inputs) {
    if ("command" in input) {
      issued += 1;
      feed({ on: "command", n: issued, command: input.command });
    } else if (input.event.on === "timer") {
      const [running] = timers;
      if (running !== undefined && timers.delete(running)) feed({ on: "timer", name: running });
    } else feed(input.event);
  }
  return { deeds, issued };
}

const input: fc.Arbitrary<Input> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...commands, ...wrongCommands).map((command) => ({ command })) },
  { weight: 3, arbitrary: fc.constant({ event: { on: "timer" as const, name: "any" } }) },
  {
    weight: 2,
    arbitrary: fc.uint8Array({ maxLength: 64 }).map((bytes) => ({ event: { on: "bytes" as const, bytes } })),
  },
  { weight: 1, arbitrary: fc.constantFrom({ event: { on: "opened" as const } }, { event: { on: "closed" as const } }) },
);

const noticesOf = ({ deeds }: Run): readonly Notice[] => deeds.flatMap(({ notices }) => notices ?? []);
const endings = (notices: readonly Notice[]): readonly number[] =>
  notices.filter((notice) => notice.n > 0 && isEnding(notice)).map(({ n }) => n);

test("every model has an id of its own", () => {
  const ids = driverModels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(0);
});

describe.each(driverModels)("$title", (model) => {
  const kinds = model.lines.map(({ kind }) => kind);

  test("says what it is able to do", () => {
    expect(model.id).toMatch(/^[a-z0-9-]+$/);
    expect(kinds.length).toBeGreaterThan(0);
    expect(model.capabilities.interfaces.length).toBeGreaterThan(0);
    expect(model.hostWaitMs).toBeGreaterThan(15_000);
  });

  test("ends every command exactly once by the time the link is closed", () => {
    fc.assert(
      fc.property(fc.array(input, { maxLength: 50 }), fc.constantFrom(...kinds), (inputs, transport) => {
        const life = run(model, transport, [{ event: { on: "opened" } }, ...inputs, { event: { on: "closed" } }]);
        expect([...endings(noticesOf(life))].sort((a, b) => a - b)).toEqual(
          Array.from({ length: life.issued }, (_, at) => at + 1),
        );
      }),
      { numRuns: 200 },
    );
  });

  test("answers to a silent device within a bounded number of its own timers, and asks for the link to be reopened", () => {
    for (const transport of kinds) {
      const silence = Array.from({ length: 60 }, () => ({ event: { on: "timer" as const, name: "any" } }));
      const life = run(model, transport, [{ event: { on: "opened" } }, { command: { do: "identify" } }, ...silence]);
      expect(noticesOf(life)).toContainEqual(expect.objectContaining({ n: 1, on: "fault", code: "no-answer" }));
      expect(life.deeds.some(({ link }) => link === "reopen")).toBe(true);
    }
  });

  test.each(wrongCommands.filter((command) => command.do !== "display"))("refuses %j by a fault", (command) => {
    const life = run(model, "tcp", [{ event: { on: "opened" } }, { command }]);
    expect(noticesOf(life)).toMatchObject([{ n: 1, on: "fault", code: "refused" }]);
    expect(life.deeds.flatMap(({ write }) => write ?? [])).toEqual([]);
  });

  test("writes and asks for nothing while the link is closed", () => {
    const life = run(
      model,
      "tcp",
      commands.map((command) => ({ command })),
    );
    expect(life.deeds.flatMap(({ write }) => write ?? [])).toEqual([]);
    expect(noticesOf(life)).toMatchObject(commands.map((_, at) => ({ n: at + 1, on: "fault", code: "no-answer" })));
  });

  test("does the same again from the same start", () => {
    fc.assert(
      fc.property(fc.array(input, { maxLength: 30 }), fc.constantFrom(...kinds), (inputs, transport) => {
        const once = run(model, transport, [{ event: { on: "opened" } }, ...inputs]);
        expect(run(model, transport, [{ event: { on: "opened" } }, ...inputs]).deeds).toEqual(once.deeds);
      }),
      { numRuns: 50 },
    );
  });
});
