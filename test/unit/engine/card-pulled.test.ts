import { describe, expect, test } from "vitest";
import type { CardInterface } from "../../../src/card/card-data.ts";
import type { Tlv } from "../../../src/emv/tlv.ts";
import { fromHex } from "../../../src/kit/hex.ts";
import { obliging, type Saying, type Script } from "../../support/bench-terminal.ts";
import { openCounter, startRequest, till } from "../../support/counter.ts";

/*
 * A card that was pulled while its issuer was asked ends as declined on every device. Only the slot tells it from one
 * that has declined: nobody is to be sent for another card
 * because he was in a hurry.
 */

const AAC: readonly Tlv[] = [
  { tag: "9F26", value: fromHex("1122334455667788") },
  { tag: "9F27", value: fromHex("00") },
];

const told = (card: boolean): Saying => ({ on: "slot", card });

interface Story {
  /** What the slot did while the issuer was asked, and while the card was told. */
  readonly before?: readonly Saying[];
  readonly slot: readonly Saying[];
  readonly emv?: readonly Tlv[];
  readonly via?: CardInterface;
  /** The device shows nothing of its card's objects. */
  readonly sealed?: true;
}

/** How a sale ends whose device says `declined` although the issuer approved. */
async function endOf({ before = [], slot, emv = [], via = "chip", sealed }: Story) {
  const script: Script = (command) => {
    if (command.do === "complete") return [...slot, { on: "finished", verdict: "declined", emv }];
    const usual = obliging(command);
    if (command.do !== "collect") return usual;
    const card = { interface: via, ...(sealed && { icc: [] }) };
    const said = usual.map(
      (saying): Saying => (saying.on === "card" ? { ...saying, card: { ...saying.card, ...card } } : saying),
    );
    return [...said.filter(({ on }) => on === "card" || via === "chip"), ...before];
  };
  const counter = openCounter({ script, can: { interfaces: ["chip", "contactless"] } });
  void counter.payments.start(till, startRequest("R-1"));
  await counter.clock.advance(5_000);
  const shown = await counter.payments.get(till, { reference: "R-1" });
  expect(counter.posted.map(({ operation }) => operation.paymentType)).toEqual(["PA", "RV"]);
  return shown.ok ? [shown.value.outcome, shown.value.reason?.code] : [];
}

describe("a device that says declined although the issuer approved", () => {
  test("with an empty slot and no cryptogram has lost its card", async () => {
    expect(await endOf({ slot: [told(false)] })).toEqual(["CANCELLED", "card-removed"]);
  });

  test("with a cryptogram, or with its card in, tells of one that declined", async () => {
    expect(await endOf({ slot: [told(false)], emv: AAC })).toEqual(["DECLINED", "card-declined"]);
    expect(await endOf({ slot: [] })).toEqual(["DECLINED", "card-declined"]);
  });

  test("and seals its objects has lost its card where that was out before", async () => {
    expect(await endOf({ before: [told(false)], slot: [], sealed: true })).toEqual(["CANCELLED", "card-removed"]);
    expect(await endOf({ slot: [told(false)], sealed: true })).toEqual(["DECLINED", "card-declined"]);
  });

  test("and tells nothing of its slot leaves it at that", async () => {
    expect(await endOf({ slot: [{ on: "slot-untold" }] })).toEqual(["DECLINED", "card-declined"]);
  });

  test("of a tap, whose slot is always empty, tells of one that declined", async () => {
    expect(await endOf({ slot: [], via: "contactless-chip" })).toEqual(["DECLINED", "card-declined"]);
  });
});
