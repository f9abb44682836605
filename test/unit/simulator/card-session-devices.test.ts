import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deck } from "../../../packages/sandbox/testbed/deck.ts";
import { knownSredLayout } from "../../../packages/sandbox/testbed/sred-layouts.ts";
import { kernelConfiguration } from "../../../src/simulator/kernel-configuration.ts";
import { SimulatorProblem } from "../../../src/simulator/simulator-problem.ts";
import {
  APPROVED,
  held,
  hexIn,
  LIMIT_MS,
  REFUND,
  readIn,
  SALE,
  type SessionBench,
  sessionBench,
} from "./session-bench.ts";

describe("a device", () => {
  test("without a PIN pad asks for none, and says so in 9F33 and 9F34", async () => {
    const capabilities = {
      interfaces: ["chip", "stripe"],
      onlinePin: false,
      pinAfterTap: false,
      display: false,
      sealed: false,
    } as const;
    const at = await held("visa-contact", { capabilities });
    const said = at.news();
    expect(said.map(({ is }) => is)).toEqual(["inserted", "read"]);
    expect([hexIn(readIn(said), "9F33"), hexIn(readIn(said), "9F34")]).toEqual(["6028C8", "5E0300"]);
    expect(at.panel.screen().lines).toEqual([]);
  });

  test("whose keys are used up says which", async () => {
    const cardKey = sessionBench({ seal: () => undefined });
    cardKey.session.begin(SALE, { tap: true }, LIMIT_MS);
    cardKey.panel.present("visa-contactless");
    await cardKey.clock.advance(100);
    expect(cardKey.names()).toEqual(["card-key-used-up"]);
    const { secure } = sessionBench();
    const pinKey = sessionBench({ secure: { ...secure, sealPin: () => undefined } });
    pinKey.panel.present("visa-contact");
    pinKey.session.begin(SALE, { chip: true }, LIMIT_MS);
    await pinKey.clock.advance(50);
    await pinKey.types("1234", "ENTER");
    expect(pinKey.names()).toEqual(["inserted", "enter-pin", "pin-key-used-up"]);
  });

  test("of a refund asks for no PIN and for an AAC", async () => {
    const at = sessionBench();
    at.panel.present("refund-aac");
    at.session.begin(REFUND, { chip: true }, LIMIT_MS);
    await at.clock.advance(200);
    expect(readIn(at.news())).toMatchObject({ decision: "declined-offline" });
  });

  test("that seals everything has the PIN block inside", async () => {
    const apart = await held("visa-contact");
    const whole = await held("visa-contact", { sred: knownSredLayout("MAGTEK_DYNAFLEX") });
    expect(readIn(whole.news()).sred.data.length).toBeGreaterThan(readIn(apart.news()).sred.data.length + 100);
  });

  test.each([
    ["B61378A", "0B61378A"],
    ["123456789", "23456789"],
    ["1", "00000001"],
  ])("of serial number %s is %s in 9F1E", (serialNumber, expected) => {
    expect(kernelConfiguration(serialNumber, { interfaces: ["contactless"], onlinePin: true })).toMatchObject({
      ...{ serialNumber: expected, terminalId: expected, capabilities: "00F8C8" },
    });
  });
});

describe("whatever is done to it, in whatever order", () => {
  type Act = (at: SessionBench) => boolean;
  const done = (act: (at: SessionBench) => unknown): Act => {
    return (at) => {
      try {
        act(at);
      } catch (error) {
        if (!(error instanceof SimulatorProblem)) throw error;
      }
      return false;
    };
  };
  const ways = fc.record({ chip: fc.boolean(), tap: fc.boolean(), magstripe: fc.boolean(), keyed: fc.boolean() });
  const acts: fc.Arbitrary<Act> = fc.oneof(
    ways.map(
      (offered): Act =>
        (at) =>
          at.session.begin(SALE, offered, LIMIT_MS),
    ),
    fc.constantFrom<Act>(
      (at) => at.session.complete(APPROVED),
      done((at) => at.session.askPin(SALE)),
      (at) => at.session.type("number", 1000),
      done((at) => at.session.proceed()),
      done((at) => at.session.choose(2)),
      done((at) => at.session.listenToMagstripe(true)),
      done((at) => at.panel.remove()),
      done((at) => at.panel.press(["1234", "ENTER"])),
      done((at) => at.panel.press("CANCEL")),
    ),
    fc.constantFrom(...deck).map(({ name }) => done((at) => at.panel.present(name))),
    fc.constantFrom(...deck).map(({ name }) => done((at) => at.panel.present(name, "insert"))),
  );

  test("nothing throws, and every call that was taken ends once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { maxLength: 25 }), fc.boolean(), async (list, pauses) => {
        const at = sessionBench({ pausesBeforeCryptogram: pauses, hostChooses: pauses });
        let taken = 0;
        for (const act of list) {
          if (act(at)) taken += 1;
          await at.clock.advance(20);
        }
        // A magstripe that is listened to, and a PIN that is asked for, end beside a call.
        const beside = list.length;
        at.session.abort();
        await at.clock.advance(100_000);
        expect(at.session.at()).toBe("idle");
        expect(at.endings()).toBeLessThanOrEqual(taken + beside);
        expect(at.endings()).toBeGreaterThanOrEqual(taken);
      }),
      { numRuns: 150 },
    );
  });
});
