import { describe, expect, test } from "vitest";
import { fromHex } from "../../../src/kit/hex.ts";
import { obliging, type Script } from "../../support/bench-terminal.ts";
import { type Counter, openCounter, startRequest, till } from "../../support/counter.ts";

/* What a capture shows of the chip that has agreed to it. */

const TC = "F618E3A3DCD4A9BF";
const tlv = (tag: string, value: string) => ({ tag, value: fromHex(value) });

const agreeing: Script = (command) =>
  command.do === "complete"
    ? [{ on: "finished", verdict: "approved", emv: [tlv("9F26", TC), tlv("9F27", "40")] }]
    : obliging(command);

/** A chip that declines what its host approved, and says so. */
const refusing: Script = (command) =>
  command.do === "complete"
    ? [{ on: "finished", verdict: "declined", emv: [tlv("9F26", TC), tlv("9F27", "00")] }]
    : obliging(command);

async function sell(counter: Counter, type: "SALE" | "PREAUTHORIZATION", forMs = 1_000): Promise<void> {
  const started = counter.payments.start(till, startRequest("R-1", { type }));
  await counter.clock.advance(forMs);
  expect(await started).toMatchObject({ ok: true });
}

const sent = ({ posted }: Counter) =>
  posted.map(({ operation, card }) => [operation.paymentType, card?.icc?.includes(TC), card?.finalIcc?.includes(TC)]);

describe("a chip's TC", () => {
  test("goes with the capture of its sale", async () => {
    const counter = openCounter({ script: agreeing });
    await sell(counter, "SALE");
    expect(sent(counter)).toEqual([
      ["PA", false, undefined],
      ["CP", false, true],
    ]);
  });

  test("goes with the captures that its register asks for, also after a restart", async () => {
    const first = openCounter({ script: agreeing });
    await sell(first, "PREAUTHORIZATION");
    const counter = openCounter({ script: agreeing }, { clock: first.clock, journal: first.journal.crash(0) });
    const recovered = counter.engine.recover();
    await counter.clock.advance(100);
    await recovered;
    const captured = counter.payments.followUp(till, {
      type: "CAPTURE",
      of: { name: "R-1" },
      reference: "R-1/1",
      amount: "2.00",
      fingerprint: "c",
    });
    await counter.clock.advance(1_000);
    expect(await captured).toMatchObject({ ok: true });
    expect(sent(counter)).toEqual([["CP", false, true]]);
  });

  test("is none where the card has refused: the reversal has what the authorization had", async () => {
    const counter = openCounter({ script: refusing });
    await sell(counter, "SALE");
    expect(sent(counter)).toEqual([
      ["PA", false, undefined],
      ["RV", false, undefined],
    ]);
  });
});
