import { describe, expect, test } from "vitest";
import { nothingFound, readReset, readSredKey } from "../../../../drivers/verifone-p400/identity.ts";
import { capabilitiesOf } from "../../../../drivers/verifone-p400/members.ts";
import type { Answer } from "../../../../drivers/verifone-p400/message.ts";
import { familyCapabilities } from "../../../../drivers/vipa/members.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import {
  type Bench,
  CLOCK_ANSWER,
  CONFIGURATION_ANSWER,
  createBench,
  held,
  identified,
  OK,
  ONE_READER,
  PIN_KEY,
  POWERED_ON,
  RESET_ANSWER,
  SRED_KEY,
  text,
  tlv,
} from "./bench.ts";
import { chain, packetsOf } from "./vectors.ts";

function opened(): Bench {
  const bench = createBench();
  bench.feed({ on: "opened" });
  return bench;
}

/** Identifies with these answers in place of the usual ones, and gives what was told. */
function told(
  answers: Partial<Record<"reset" | "reader" | "pin" | "sred" | "clock" | "configuration", string>>,
  bench = opened(),
): ReturnType<Bench["look"]> {
  bench.command({ do: "identify" });
  const {
    reset = RESET_ANSWER,
    reader = ONE_READER,
    pin = PIN_KEY,
    sred = SRED_KEY,
    clock = CLOCK_ANSWER,
    configuration = CONFIGURATION_ANSWER,
  } = answers;
  bench.answer(OK, reset, reader);
  if (reader === ONE_READER) bench.answer(OK);
  bench.answer(pin, sred, clock, configuration);
  return bench.look();
}

describe("identify", () => {
  test("a card number in the place of the serial number stays in the device", () => {
    const serial = (digits: string): Answer => ({
      is: "template",
      template: "E1",
      objects: [{ tag: "9F1E", value: new TextEncoder().encode(digits) }],
    });
    expect(readReset(nothingFound, serial("4761739001010119"))).toBeUndefined();
    expect(readReset(nothingFound, serial("807335123"))).toBeDefined();
  });

  test("ends what ran, then asks one thing after the other, and tells all of it", () => {
    const bench = opened();
    const n = bench.command({ do: "identify" });
    const sent: string[] = [];
    for (const answer of [OK, RESET_ANSWER, ONE_READER, OK, PIN_KEY, SRED_KEY, CLOCK_ANSWER]) {
      sent.push(...bench.look().sent);
      bench.answer(answer);
    }
    sent.push(...bench.look().sent);
    expect(sent).toEqual([
      ...[
        "abort",
        "reset 00C1",
        "contactless-status",
        "open-reader",
        "key-status 0501",
        "key-status 0500",
        "clock 0100",
        "configuration",
      ],
    ]);
    bench.answer(CONFIGURATION_ANSWER);
    expect(bench.look().notices).toEqual([
      {
        n,
        on: "ready",
        identity: {
          serialNumber: "807335123",
          model: "P400",
          firmware: "VIPA 6.8.2.24, release-31013400",
          configuration: [
            { name: "emv_ver", version: "sphere.emv.6_8_2_23" },
            { name: "MAPP", version: "2.0.0.7" },
            { name: "VIPA", version: "6.8.2.24" },
          ],
          clock: { date: "260115", time: "143000" },
        },
        keys: { pin: true, sred: true, tampered: false },
        capabilities: familyCapabilities,
      },
    ]);
  });

  test.each([
    ["UX300", "986227287", "6.8.2.24"],
    ["UX301", "987091615", "6.8.2.24"],
  ])("the recorded answer of a %s: the device before its keypad", (model, serialNumber, vipa) => {
    const { notices } = told({ reset: chain(model), reader: "9F11" });
    expect(notices).toMatchObject([
      {
        on: "ready",
        identity: { serialNumber, model, firmware: `VIPA ${vipa}, release-31013400` },
        keys: { tampered: false },
        capabilities: { interfaces: ["chip", "stripe", "keyed"], onlinePin: true, pinAfterTap: false, display: true },
      },
    ]);
    expect(notices[0]?.on === "ready" && notices[0].identity.configuration).toContainEqual({
      name: "whitelist hash",
      version: "B2899DC8E32C614D699151D4B900A8BE6E82664F0D3C5AD77D570BC5023CC7ED",
    });
  });

  test.each(["tcp", "serial"] as const)(
    "an answer of four packets whose link was cut anywhere (%s): nothing of it is left on the next one",
    (transport) => {
      const packets = packetsOf("UX301").map((hex) => fromHex(hex));
      for (let whole = 0; whole <= packets.length; whole += 1) {
        for (const rest of [0, 1, 3, 100]) {
          const bench = createBench({ transport });
          const up = (): void => {
            bench.feed({ on: "opened" });
            if (transport === "serial") bench.fire("settle");
          };
          up();
          const n = bench.command({ do: "identify" });
          bench.answer(OK);
          for (const bytes of packets.slice(0, whole)) bench.feed({ on: "bytes", bytes });
          const piece = packets[whole]?.subarray(0, rest);
          if (piece !== undefined) bench.feed({ on: "bytes", bytes: piece });
          bench.feed({ on: "closed" });
          expect(bench.look().notices).toEqual([{ n, on: "fault", code: "no-answer", detail: "the link was closed" }]);
          up();
          // What the device had not sent yet comes on the new link.
          for (const bytes of packets.slice(whole + 1)) bench.feed({ on: "bytes", bytes });
          expect(told({ reset: chain("UX301"), reader: "9F11" }, bench).notices).toMatchObject([
            { on: "ready", identity: { serialNumber: "987091615" } },
          ]);
        }
      }
    },
  );

  test.each([
    ["0000000000000000", []],
    ["ED02AA537757D99F", [{ name: "initialisation vector of card data", version: "not zero" }]],
  ])("an initialisation vector of %s is told before the first card comes, without its value", (iv, items) => {
    const { notices } = told({ sred: `${tlv("DFDF11", "FFFF9876543210E00001")}${tlv("DFDF12", iv)}9000` });
    const configuration = notices[0]?.on === "ready" ? notices[0].identity.configuration : [];
    expect(configuration.filter(({ name }) => name.startsWith("initialisation"))).toEqual(items);
  });

  test("greetings between the answers are no answers", () => {
    const bench = opened();
    bench.event(POWERED_ON);
    bench.command({ do: "identify" });
    bench.event(POWERED_ON);
    bench.answer(OK);
    bench.event(POWERED_ON);
    bench.answer(RESET_ANSWER);
    expect(bench.look()).toMatchObject({
      sent: ["abort", "reset 00C1", "contactless-status"],
      notices: [],
      reopen: false,
    });
  });

  test.each([
    ["9F19", { sred: true, tampered: false, pin: false }],
    ["9F11", { sred: true, tampered: false }],
    [`${tlv("DFDF11", "FFFF9876543210E00001")}9000`, { sred: true, tampered: false, pin: true }],
  ])("the PIN key, answered with %s", (pin, keys) => {
    const { notices } = told({ pin });
    expect(notices[0]?.on === "ready" && notices[0].keys).toEqual(keys);
  });

  test.each([
    ["a list without a serial number", `${tlv("DFEC46", "01")}9000`],
    ["an empty serial number", `${tlv("DFED03", "")}9000`],
    ["nothing", OK],
  ])("a question that is answered by %s is asked again, and then left out", (_what, answer) => {
    const bench = opened();
    bench.command({ do: "identify" });
    bench.answer(OK, RESET_ANSWER, ONE_READER, OK, answer);
    bench.look();
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ sent: ["key-status 0501"], notices: [] });
    bench.fire("answer");
    expect(bench.look().sent).toEqual(["key-status 0500"]);
    bench.answer("9F11", CLOCK_ANSWER, CONFIGURATION_ANSWER);
    const { notices } = bench.look();
    expect(notices[0]?.on === "ready" && notices[0].keys).toEqual({ tampered: false });
  });

  test("a device that tells no serial number is in error", () => {
    const bench = opened();
    bench.command({ do: "identify" });
    bench.answer(OK, `${tlv("9F1E", text("  "))}9000`);
    for (let tries = 0; tries < 3; tries += 1) bench.fire("answer");
    expect(bench.look()).toMatchObject({
      notices: [{ on: "fault", code: "device-error", detail: expect.stringContaining("reset") }],
      reopen: false,
    });
  });

  test("a serial number outside the device's own object will do, and one is needed", () => {
    const reset = `${tlv("9F1E", text("42"))}${tlv("EE", tlv("DF0D", text("P200")))}9000`;
    expect(told({ reset }).notices).toMatchObject([{ identity: { serialNumber: "42", model: "P200" } }]);
    const bare = told({ reset: `${tlv("9F1E", text("43"))}9000` });
    expect(bare.notices).toMatchObject([{ identity: { serialNumber: "43", model: "VIPA" } }]);
  });

  test("a key for card data that has no serial number is none", () => {
    const answered = (value: Uint8Array): Answer => ({ is: "list", objects: [{ tag: "DFDF11", value }] });
    expect(readSredKey(nothingFound, answered(new Uint8Array(0)))).toBeUndefined();
    expect(readSredKey(nothingFound, answered(new Uint8Array(10)))).toMatchObject({ sredKey: true });
  });

  test("a card data key that nothing is told of is unknown, not missing", () => {
    const { notices } = told({ sred: "9F19" });
    expect(notices[0]?.on === "ready" && notices[0].keys).toEqual({ pin: true, tampered: false });
  });

  test.each(["DF8101", "DF8102"])(
    "%s other than zero is a device that was tampered with, wherever it stands",
    (tag) => {
      const reset = `${tlv("EE", tlv("9F1E", text("807335123")) + tlv("DF0D", text("P400")))}${tlv("EE", tlv("DF0D", text("UX100")) + tlv(tag, "01"))}9000`;
      expect(told({ reset }).notices).toMatchObject([{ on: "ready", keys: { tampered: true } }]);
    },
  );

  test("a device that says nothing of tampering is not said to be whole", () => {
    const reset = `${tlv("EE", tlv("9F1E", text("807335123")) + tlv("DF0D", text("P400")))}9000`;
    const { notices } = told({ reset });
    expect(notices[0]?.on === "ready" && notices[0].keys).toEqual({ pin: true, sred: true });
  });

  test.each(["9F0F", "009000"])("no contactless reader (%s): none is opened, and none is offered", (reader) => {
    const bench = opened();
    expect(told({ reader }, bench).notices).toMatchObject([
      { capabilities: { interfaces: ["chip", "stripe", "keyed"], pinAfterTap: false } },
    ]);
    bench.command({
      do: "collect",
      request: {
        amount: 1,
        currencyNumeric: "978",
        currencyCode: "EUR",
        decimals: 2,
        transactionType: "00",
        interfaces: ["contactless"],
        now: { date: "260115", time: "143000" },
        cardMs: 1,
        pinMs: 1,
      },
    });
    expect(bench.look().notices).toMatchObject([{ on: "fault", code: "refused" }]);
  });

  test("an ABORT that is refused for good is left out: RESET will do", () => {
    const bench = opened();
    bench.command({ do: "identify" });
    bench.answer("9F22", "9F22");
    expect(bench.look()).toMatchObject({ sent: ["abort", "abort", "reset 00C1"], notices: [] });
  });

  test("late refusals of a session before do not count for ABORT and RESET, and what else is refused is left out", () => {
    const bench = opened();
    bench.command({ do: "identify" });
    bench.answer("9F41", OK, "9F22", RESET_ANSWER, ONE_READER, "9F22", "9F11", "9F11", "9F11", "9F11");
    expect(bench.look()).toMatchObject({
      sent: [
        ...["abort", "abort", "reset 00C1", "reset 00C1", "contactless-status", "open-reader"],
        "key-status 0501",
        "key-status 0500",
        "clock 0100",
        "configuration",
      ],
      notices: [{ on: "ready", keys: { tampered: false } }],
    });
  });

  test("an answer that came twice is not taken for the next one's", () => {
    const bench = opened();
    bench.command({ do: "identify" });
    bench.answer(
      OK,
      OK,
      RESET_ANSWER,
      RESET_ANSWER,
      ONE_READER,
      ONE_READER,
      OK,
      PIN_KEY,
      PIN_KEY,
      SRED_KEY,
      CLOCK_ANSWER,
      CLOCK_ANSWER,
      SRED_KEY,
      CONFIGURATION_ANSWER,
    );
    expect(bench.look().notices).toMatchObject([
      {
        on: "ready",
        identity: {
          clock: { date: "260115", time: "143000" },
          configuration: expect.arrayContaining([{ name: "emv_ver", version: "sphere.emv.6_8_2_23" }]),
        },
        keys: { pin: true, sred: true },
      },
    ]);
  });

  test("a device that refuses RESET for good is in error, and a silent one is lost", () => {
    const bench = opened();
    bench.command({ do: "identify" });
    bench.answer(OK, "9F22", "9F22", "9F22");
    expect(bench.look().notices).toMatchObject([{ n: 1, on: "fault", code: "device-error" }]);
    bench.command({ do: "identify" });
    bench.fire("answer");
    bench.fire("answer");
    expect(bench.look()).toMatchObject({ notices: [{ n: 2, on: "fault", code: "no-answer" }], reopen: true });
  });

  test("a serial line throws away what it holds from before", () => {
    const bench = createBench({ transport: "serial" });
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.answer(OK);
    expect(bench.look()).toMatchObject({ sent: [], notices: [] });
    bench.fire("settle");
    expect(bench.look().sent).toEqual(["abort"]);
  });

  test("options say where the keys are", () => {
    const bench = createBench({ options: { pinHost: "02", pinSlot: "08", sredSlot: "0A" } });
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.answer(OK, RESET_ANSWER, ONE_READER, OK, PIN_KEY);
    expect(bench.look().sent.slice(-2)).toEqual(["key-status 0208", "key-status 020A"]);
  });
});

describe("restarts", () => {
  test.each([
    ["030000", "143000", 12.5 * 3600],
    ["000000", "143000", 9.5 * 3600],
    ["143000", "143000", 24 * 3600],
  ])("a daily restart at %s is told three minutes before, by the device's own clock", (at, now, seconds) => {
    const bench = opened();
    const reset = `${tlv("DFA242", text(at))}${tlv("EE", tlv("9F1E", text("807335123")))}9000`;
    told({ reset, clock: `${text(`20260115${now}`)}9000` }, bench);
    expect(bench.timers()["daily"]).toBe(Math.max(1, seconds * 1000 - 180_000));
    bench.fire("daily");
    expect(bench.look()).toMatchObject({
      sent: [],
      notices: [{ n: 0, on: "restart-soon", inMs: 180_000 }],
      reopen: false,
    });
    expect(bench.timers()["daily"]).toBe(86_400_000);
  });

  test("one that is nearer than that is told at once, and again the next day", () => {
    const bench = opened();
    const reset = `${tlv("DFA242", text("143100"))}${tlv("EE", tlv("9F1E", text("807335123")))}9000`;
    expect(told({ reset }, bench).notices).toMatchObject([{ on: "ready" }, { n: 0, on: "restart-soon", inMs: 60_000 }]);
    expect(bench.timers()["daily"]).toBe(86_400_000 + 60_000 - 180_000);
  });

  test.each([
    [RESET_ANSWER, "9F11"],
    [`${tlv("DFA242", text("996000"))}${tlv("EE", tlv("9F1E", text("807335123")))}9000`, CLOCK_ANSWER],
    [`${tlv("EE", tlv("9F1E", text("807335123")))}9000`, CLOCK_ANSWER],
  ])("without a time, or a clock, nothing is told", (reset, clock) => {
    const bench = opened();
    told({ reset, clock }, bench);
    expect(bench.timers()).not.toHaveProperty("daily");
  });

  test("a greeting of an identified device opens the link anew, whatever it was doing", () => {
    const idle = identified(createBench());
    idle.fire("greeting");
    idle.event(POWERED_ON);
    expect(idle.look()).toMatchObject({ notices: [{ n: 0, on: "fault", code: "device-error" }], reopen: true });
    const busy = identified(createBench());
    const n = busy.command({ do: "display", lines: ["hello"] });
    busy.event(POWERED_ON);
    expect(busy.look()).toMatchObject({ notices: [{ n, on: "fault", code: "device-error" }], reopen: true });
  });
});

describe("a greeting that comes late on its link", () => {
  test("means no restart, once, where nothing is at stake: a device that greets late on every link must get into service", () => {
    const bench = identified(createBench());
    expect(bench.timers()).toMatchObject({ greeting: 10_000 });
    bench.event(POWERED_ON);
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
    bench.event(POWERED_ON);
    expect(bench.look()).toMatchObject({ notices: [{ n: 0, on: "fault", code: "device-error" }], reopen: true });
  });

  test("ends a card that waits for its issuer all the same", () => {
    const bench = held(createBench());
    bench.event(POWERED_ON);
    expect(bench.look()).toMatchObject({ notices: [{ n: 0, on: "fault", code: "device-error" }], reopen: true });
  });
});

describe("members", () => {
  test.each([
    [
      ["P200"],
      true,
      { interfaces: ["chip", "contactless", "stripe", "keyed"], onlinePin: true, pinAfterTap: true, display: true },
    ],
    [["M400"], false, { interfaces: ["chip", "stripe", "keyed"], onlinePin: true, pinAfterTap: false, display: true }],
    [
      ["UX301", "UX100"],
      true,
      { interfaces: ["chip", "contactless", "stripe", "keyed"], onlinePin: true, pinAfterTap: true, display: true },
    ],
    [
      ["UX300", "UX400"],
      true,
      { interfaces: ["chip", "contactless", "stripe"], onlinePin: false, pinAfterTap: false, display: false },
    ],
    [["ux300"], false, { interfaces: ["chip", "stripe"], onlinePin: false, pinAfterTap: false, display: false }],
    [
      ["E285"],
      true,
      { interfaces: ["chip", "contactless", "stripe", "keyed"], onlinePin: true, pinAfterTap: true, display: true },
    ],
    [
      [],
      true,
      { interfaces: ["chip", "contactless", "stripe", "keyed"], onlinePin: true, pinAfterTap: true, display: true },
    ],
  ])("%j with a reader: %j", (names, hasReader, can) => {
    expect(capabilitiesOf(names, hasReader)).toMatchObject(can);
  });

  test("one without a display shows nothing, and says so at once", () => {
    const bench = opened();
    told({ reset: `${tlv("EE", tlv("9F1E", text("1")) + tlv("DF0D", text("UX300")))}9000` }, bench);
    bench.command({ do: "display", lines: ["hello"] });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ on: "done" }] });
  });
});
