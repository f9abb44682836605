import { describe, expect, test } from "vitest";
import { newCodec, overOf, pack, read } from "../../../../drivers/magtek-dynaflex/codec.ts";
import {
  commands,
  encodeMessage,
  LONGEST_MESSAGE,
  notifications,
  objectsIn,
  tlvPayload,
} from "../../../../drivers/magtek-dynaflex/message.ts";
import { reportsOf } from "../../../../drivers/magtek-dynaflex/reports.ts";
import { tdesKey } from "../../../../packages/sandbox/testbed/des.ts";
import type { Notice } from "../../../../src/card/notice.ts";
import { findTag } from "../../../../src/emv/tlv.ts";
import { concat } from "../../../../src/kit/bytes.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import type { TransportKind } from "../../../../src/terminal/driver.ts";
import { ALL } from "../../../support/driver-bench.ts";
import {
  answerAll,
  arqc,
  type Bench,
  batch,
  createBench,
  held,
  identified,
  KSN,
  PLAIN,
  PROPERTIES,
  running,
} from "./bench.ts";
import { vectors } from "./vectors.ts";

/*
 * Clauses of section 10 of the PROTOCOL.md the other way round, as far as they are about the device, its messages and
 * its card in the slot: the driver
 * survives it, or ends with a clear fault. Those about time, the issuer's answer and the end of a transaction are in inferred-endings.test.ts;
 * test/drivers/models flips the others.
 */

const PROX: typeof PROPERTIES = { ...PROPERTIES, model: "44796E6150726F78" };
const APPROVED = { verdict: "approved", arc: "3030", scripts: [] } as const;
const CARD = {
  on: "card",
  card: { interface: "chip", decision: "online", sred: { ksn: KSN }, masked: { last4: "0119" } },
} as const;

const endingOf = (bench: Bench, n: number): Notice | undefined =>
  bench.look().notices.findLast((notice) => notice.n === n);
const notification = (name: keyof typeof notifications, code: string, payload: Uint8Array): Uint8Array =>
  encodeMessage({ is: "notification", id: notifications[name], code, payload });

function feedAll(bench: Bench, chunks: readonly Uint8Array[]): void {
  for (const bytes of chunks) bench.feed({ on: "bytes", bytes });
}

/** From START's answer to the verdict of a chip that its issuer approves. */
function sells(bench: Bench, given: typeof PROPERTIES): void {
  const n = running(bench, ALL, given);
  bench.tell("progress", "10010200");
  bench.tell("progress", "10080202", arqc());
  expect(endingOf(bench, n)).toMatchObject(CARD);
  const completion = bench.command({ do: "complete", issuer: APPROVED });
  bench.answer();
  bench.tell("outcome", "10020600");
  bench.tell("progress", "10080302", batch("00"));
  expect(endingOf(bench, completion)).toMatchObject({ on: "finished", verdict: "approved" });
}

describe("a member that is another than its name says", () => {
  test("I1 with a screen, and a name of one without: it sells, and shows of itself what it would", () => {
    const bench = createBench();
    sells(bench, PLAIN);
    const shown = bench.command({ do: "display", lines: ["x"] });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n: shown, on: "done" }] });
  });

  test("I1 without a screen, and a name of one with it: it sells, greets nobody, has its choices made, and says what it cannot show", () => {
    const bench = createBench();
    sells(bench, PROPERTIES);
    const idle = bench.command({ do: "idle" });
    bench.answer("010113");
    bench.answer("010113");
    expect(endingOf(bench, idle)).toEqual({ n: idle, on: "done" });
    const shown = bench.command({ do: "display", lines: ["x"] });
    bench.answer("010113");
    bench.answer("010113");
    expect(endingOf(bench, shown)).toMatchObject({ on: "fault", code: "device-error" });
    const n = bench.command({ do: "collect", request: ALL });
    bench.answer();
    bench.tell("progress", "10010200");
    bench.look();
    bench.tell("screen", "02020000");
    bench.answer();
    bench.tell("progress", "10080202", arqc());
    expect(bench.look()).toMatchObject({ sent: [expect.stringMatching(/^selection /)], notices: [{ n, ...CARD }] });
  });

  test("I1 without keys, and a name of one with them: it refuses to have a number typed", () => {
    const bench = identified(createBench());
    const n = bench.command({ do: "collect", request: { ...ALL, interfaces: ["keyed"] } });
    bench.answer("010113");
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "device-error" });
  });

  test("I1 with taps alone, and another name: it refuses a START that names readers that it does not have", () => {
    const bench = identified(createBench(), PLAIN);
    const n = bench.command({ do: "collect", request: ALL });
    bench.answer("020102");
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "device-error" });
  });

  test("I1 with more than taps, and a name of one without: a chip is asked out, and what it approves by itself is nobody's card", () => {
    const bench = createBench();
    const n = running(bench, { ...ALL, interfaces: ["contactless"] }, PROX);
    bench.tell("progress", "10010200");
    expect(bench.look().notices.at(-1)).toMatchObject({ n, on: "prompt", prompt: "REMOVE_CARD" });
    bench.tell("outcome", "10020200");
    bench.tell("progress", "10080302", batch("00"));
    bench.fire("card");
    bench.answer("020304");
    expect(endingOf(bench, n)).toEqual({ n, on: "no-card", why: "timeout" });
  });

  test("I1 with more than taps, and a name of one without: a chip that goes online all the same is told for what it is", () => {
    const bench = createBench();
    const n = running(bench, { ...ALL, interfaces: ["contactless"] }, PROX);
    bench.tell("progress", "10080202", arqc());
    expect(endingOf(bench, n)).toMatchObject(CARD);
  });
});

describe("messages in parts", () => {
  const ARQC = (): readonly Uint8Array[] => reportsOf(notification("progress", "10080202", arqc()));
  const BATCH = (): readonly Uint8Array[] => reportsOf(notification("progress", "10080302", batch("00")));
  const OUTCOME = reportsOf(notification("outcome", "10020600", new Uint8Array(0)));
  const INSERTED = reportsOf(notification("progress", "10010200", new Uint8Array(0)));

  test("I2 a device that goes on with the first message after another came in between ends the link before a card is told", () => {
    const bench = createBench("usb");
    const n = running(bench);
    const [head, ...rest] = ARQC();
    feedAll(bench, [head ?? new Uint8Array(0), ...INSERTED, ...rest]);
    const { notices, reopen } = bench.look();
    expect([reopen, notices.filter(({ on }) => on !== "prompt" && on !== "slot")]).toMatchObject([
      true,
      [{ n, on: "fault", code: "protocol" }],
    ]);
  });

  test("I2 a device that goes on with its batch data after the outcome came in between is asked for no verdict any more", () => {
    const bench = held(createBench("usb"));
    const n = bench.command({ do: "complete", issuer: APPROVED });
    bench.answer();
    bench.look();
    const [head, ...rest] = BATCH();
    feedAll(bench, [head ?? new Uint8Array(0), ...OUTCOME, ...rest]);
    expect(bench.look()).toMatchObject({ reopen: true, notices: [{ n, on: "fault", code: "protocol" }] });
  });

  test("I2 two long messages that alternate are never put together into one", () => {
    const bench = createBench("usb");
    const n = running(bench);
    const [first, second] = [
      ARQC(),
      reportsOf(
        notification("progress", "10080202", arqc({ type: "01", masked: ";5413330000000119=22122010000000000000?" })),
      ),
    ];
    expect(first).toHaveLength(second.length);
    feedAll(
      bench,
      first.flatMap((report, at) => [report, second[at] ?? new Uint8Array(0)]),
    );
    const { notices, reopen } = bench.look();
    expect([reopen, notices]).toMatchObject([true, [{ n, on: "fault", code: "protocol" }]]);
  });

  const identifying = (transport: TransportKind): { readonly bench: Bench; readonly n: number } => {
    const bench = createBench(transport);
    bench.feed({ on: "opened" });
    if (bench.state().link === "settling") bench.fire("settle");
    return { bench, n: bench.command({ do: "identify" }) };
  };
  /** A response of several reports, or any serial frame, without what stood before its last piece. */
  const half = (transport: TransportKind): Uint8Array => {
    const whole = encodeMessage({
      is: "response",
      ref: 1,
      command: commands.cancel,
      summary: 0,
      detail: "000000",
      payload: new Uint8Array(80),
    });
    const last = pack(overOf(transport), "device", whole).at(-1) ?? new Uint8Array(0);
    return transport === "usb" ? last : last.slice(20);
  };

  test.each(["usb", "serial"] as const)(
    "I3 over %s, half a message that was the device's answer after all is asked for again",
    (transport) => {
      const { bench, n } = identifying(transport);
      bench.feed({ on: "bytes", bytes: half(transport) });
      expect(bench.look()).toMatchObject({ sent: ["cancel"], notices: [], reopen: false });
      bench.fire("answer");
      expect(bench.look().sent).toEqual(["cancel"]);
      answerAll(bench);
      expect(endingOf(bench, n)).toMatchObject({ on: "ready" });
    },
  );

  test.each(["usb", "serial"] as const)(
    "I3 over %s, the rest of something before that comes behind a whole message ends the link",
    (transport) => {
      const { bench, n } = identifying(transport);
      bench.answer();
      bench.feed({ on: "bytes", bytes: half(transport) });
      expect(bench.look()).toMatchObject({ reopen: true, notices: [{ n, on: "fault", code: "protocol" }] });
    },
  );

  test("I3 over a WebSocket nothing is half of anything, so that the first message that is none ends the link", () => {
    const { bench, n } = identifying("websocket");
    bench.feed({ on: "bytes", bytes: half("websocket") });
    expect(bench.look()).toMatchObject({ reopen: true, notices: [{ n, on: "fault", code: "protocol" }] });
  });

  test.each(["usb", "serial", "websocket"] as const)(
    "I4 over %s, card data that are sound but too long end the link, and no more is read",
    (transport) => {
      const more = Array.from({ length: 70 }, () => ["9F0A", "00".repeat(120)] as const);
      const long = notification("progress", "10080202", arqc({ more }));
      expect(long.length).toBeGreaterThan(LONGEST_MESSAGE);
      const bench = createBench(transport);
      const n = running(bench);
      feedAll(bench, pack(overOf(transport), "device", long));
      expect(bench.look()).toMatchObject({ reopen: true, notices: [{ n, on: "fault", code: "protocol" }] });
      bench.tell("progress", "10080202", arqc());
      expect(bench.look().notices).toEqual([]);
    },
  );

  test.each(["usb", "serial", "websocket"] as const)(
    "I4 over %s, batch data that are too long leave no verdict, not even with the outcome",
    (transport) => {
      const bench = held(createBench(transport));
      const n = bench.command({ do: "complete", issuer: APPROVED });
      bench.answer();
      bench.tell("outcome", "10020600");
      bench.look();
      const more = Array.from({ length: 70 }, () => ["9F0A", "00".repeat(120)] as const);
      feedAll(bench, pack(overOf(transport), "device", notification("progress", "10080302", batch("00", more))));
      expect(bench.look()).toMatchObject({ reopen: true, notices: [{ n, on: "fault", code: "protocol" }] });
    },
  );

  test("I4 the longest message that is held to is still read", () => {
    const codec = newCodec("messages", "device");
    const room = LONGEST_MESSAGE - notification("progress", "10010200", new Uint8Array(300)).length + 300;
    const longest = notification("progress", "10010200", new Uint8Array(room));
    expect([longest.length, read(codec, longest).error]).toEqual([LONGEST_MESSAGE, undefined]);
  });
});

describe("a card whose application is blocked", () => {
  test.each(["10020500", "10020B00", "10021000"])("I5 shown as %s it is not supported all the same", (code) => {
    const bench = createBench();
    const n = running(bench);
    bench.tell("progress", "10010200");
    bench.tell("outcome", code);
    expect(endingOf(bench, n)).toEqual({ n, on: "no-card", why: "not-supported" });
  });

  test("I5 shown by an outcome that nothing is known of, nobody came; neither a card nor the way to the stripe is told", () => {
    const bench = createBench();
    const n = running(bench, ALL, PLAIN);
    bench.tell("progress", "10010200");
    bench.look();
    bench.tell("outcome", "10021100");
    expect(bench.look().notices).toEqual([]);
    bench.fire("watchdog");
    expect(bench.look().sent).toEqual(["cancel"]);
    bench.answer("020304");
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why: "timeout" }]);
  });

  test("I5 shown as one that could not be read, it is a chip that could not be read, and still no card", () => {
    const bench = createBench();
    const n = running(bench);
    bench.tell("progress", "10010200");
    bench.tell("outcome", "10020400");
    bench.fire("answer");
    expect(endingOf(bench, n)).toEqual({ n, on: "no-card", why: "chip-unreadable" });
  });
});

describe("the MAC over card data", () => {
  const key = tdesKey(fromHex(vectors.synthetic.macKeyVariant));
  /** Card data with other bytes of the same MAC behind them. */
  const macked = (payload: Uint8Array, cut: (mac: Uint8Array) => Uint8Array): Uint8Array => {
    const data = (findTag(objectsIn(payload), "84") ?? new Uint8Array(0)).slice(0, -4);
    return tlvPayload(["84", concat(data, cut(key.cbcEncrypt(data).slice(-8)))]);
  };

  test.each<[string, (mac: Uint8Array) => Uint8Array]>([
    ["last four", (mac) => mac.slice(4)],
    ["bytes, all eight", (mac) => mac],
  ])("I6 sent as its %s changes neither card nor verdict", (_what, cut) => {
    const bench = createBench();
    const n = running(bench);
    bench.tell("progress", "10010200");
    bench.tell("progress", "10080202", macked(arqc(), cut));
    expect(endingOf(bench, n)).toMatchObject(CARD);
    const completion = bench.command({ do: "complete", issuer: APPROVED });
    bench.answer();
    bench.tell("outcome", "10028000");
    bench.tell("progress", "10080302", macked(batch("01"), cut));
    expect(endingOf(bench, completion)).toMatchObject({ on: "finished", verdict: "declined", emv: [{ tag: "9F06" }] });
  });
});

describe("the map of keys, the other way round", () => {
  const readyWith = (given: typeof PROPERTIES): { readonly bench: Bench; readonly keys: unknown } => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    const n = bench.command({ do: "identify" });
    answerAll(bench, given);
    const ready = endingOf(bench, n);
    return { bench, keys: ready?.on === "ready" ? ready.keys : ready };
  };

  test.each([
    ["first byte, and its lowest bit", { keys: "81000000" }],
    ["highest bit of all", { dataKey: "200404", pinKey: "200104", keys: "48000000" }],
    ["highest bit of the last byte", { dataKey: "200404", pinKey: "200104", keys: "00000048" }],
  ])(
    "I7 slot 2000 is the %s: a device with its keys seems to have none, which is told before any payment",
    (_order, slots) => {
      const told = readyWith({ ...PROPERTIES, ...slots });
      expect(told.keys).toMatchObject({ sred: false, pin: false });
      const n = told.bench.command({ do: "collect", request: ALL });
      expect(told.bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "keys-missing" }] });
    },
  );

  test.each([
    ["refuses START", "020119"],
    ["refuses START for its PIN", "010110"],
  ])("I7 a device without its keys that seems to have them %s", (_what, detail) => {
    const { bench, keys } = readyWith({ ...PROPERTIES, keys: "00000081" });
    expect(keys).toMatchObject({ sred: true });
    const n = bench.command({ do: "collect", request: ALL });
    bench.answer(detail);
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "keys-missing" });
  });

  test("I7 a device without its keys that seems to have them tells a card without ciphertext, which is no card", () => {
    const bench = createBench();
    const n = running(bench);
    bench.tell("progress", "10080202", arqc({ isSealed: false }));
    bench.answer();
    bench.tell("outcome", "00030100");
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "keys-missing" });
  });
});

describe("a card that is in the slot before START", () => {
  const seated = (bench: Bench): number => {
    identified(bench);
    bench.tell("device", "01020000");
    const n = bench.command({ do: "collect", request: ALL });
    bench.answer();
    bench.look();
    return n;
  };

  test("I8 is not used: nobody came, and the transaction is cancelled", () => {
    const bench = createBench();
    const n = seated(bench);
    bench.fire("card");
    expect(bench.look().sent).toEqual(["cancel"]);
    bench.answer();
    bench.tell("outcome", "00030100");
    expect(bench.look().notices).toEqual([{ n, on: "no-card", why: "timeout" }]);
  });

  test("I8 is not used before its holder takes it out and presents it again", () => {
    const bench = createBench();
    const n = seated(bench);
    bench.tell("progress", "10010300");
    bench.tell("progress", "10010200");
    bench.tell("progress", "10080202", arqc());
    expect(endingOf(bench, n)).toMatchObject(CARD);
  });

  test("I8 keeps START from being taken: a fault, and nothing runs", () => {
    const bench = identified(createBench());
    bench.tell("device", "01020000");
    bench.look();
    const n = bench.command({ do: "collect", request: ALL });
    bench.answer("02030D");
    expect(endingOf(bench, n)).toMatchObject({ on: "fault", code: "device-error" });
    expect(bench.timers()).toEqual({});
  });
});
