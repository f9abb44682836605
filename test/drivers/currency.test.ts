import { describe, expect, test } from "vitest";
import { fromHex, toHex } from "../../src/kit/hex.ts";
import { live } from "./life.ts";
import { isWhole } from "./models/facts.ts";
import { pairs, taking } from "./models.ts";
import { collect } from "./till.ts";

/*
 * The card signs an amount together with its currency (5F2A). A device may have been set up for another one than its
 * host names: what its customer reads as dollars is not to
 * be booked in euros.
 */

/**
 * Objects of a device that is set up for dollars, as its protocol writes them; one that tells them without their tags,
 * or seals them, stays as it is.
 */
const inDollars = (chunk: Uint8Array): Uint8Array =>
  fromHex(
    toHex(chunk)
      .replaceAll("5F2A020978", "5F2A020840")
      .replaceAll(
        toHex(new TextEncoder().encode("5F2A:0002:h0978")),
        toHex(new TextEncoder().encode("5F2A:0002:h0840")),
      ),
  );

const ways = [
  { way: "chip", card: "visa-contact" },
  { way: "contactless", card: "visa-contactless" },
] as const;

describe.each(ways)("by $way", ({ way, card }) => {
  const told = taking(pairs, way).filter(
    ({ can, facts, transport }) => !can.sealed && !isWhole(transport) && facts.driver !== "pax-d180",
  );

  test.each(told)("a card that $title has asked in another currency is none", async (pair) => {
    let rewritten = 0;
    const { endings } = await live(
      pair,
      card,
      [{ do: "identify" }, { do: "idle" }, collect({ interfaces: [way] })],
      (chunk) => {
        const changed = inDollars(chunk);
        if (toHex(changed) === toHex(chunk)) return [chunk];
        rewritten += 1;
        return [pair.facts.reseal?.(changed, pair.transport) ?? changed];
      },
    );
    expect(rewritten).toBeGreaterThan(0);
    expect(endings.at(-1)).toMatchObject({
      on: "fault",
      code: "refused",
      detail: expect.stringContaining("840 (5F2A)"),
    });
  });
});
