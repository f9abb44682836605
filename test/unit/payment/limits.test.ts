import { describe, expect, test } from "vitest";
import { isTooLateToSend } from "../../../src/payment/admission/limits.ts";
import { authorizing, chipCard, followUp, KINDS, Story, sale, storedCardSale } from "../../support/sale.ts";

/** Whether the newest request of a payment may leave so long after the payment's last input. */
function leaves(story: Story, afterMs = 0): boolean {
  const operation = story.payment.attempts.at(-1)?.operation;
  if (operation === undefined) throw new Error("nothing is to be sent");
  return !isTooLateToSend(story.payment, operation, story.now + afterMs);
}

describe("a request whose intent had to wait for the journal", () => {
  test("for a card that waits leaves as long as its terminal can still be answered", () => {
    expect([
      leaves(authorizing()),
      leaves(authorizing(), sale.rules.hostWaitMs - 5_001),
      leaves(authorizing(), sale.rules.hostWaitMs - 5_000),
    ]).toEqual([true, true, false]);
  });

  test("does not leave once its card is gone, or its register has cancelled", () => {
    expect(leaves(authorizing().meets({ on: "terminal-failed", code: "unplugged", detail: "gone" }))).toBe(false);
    expect(leaves(authorizing().meets({ on: "cancel" }))).toBe(false);
  });

  test("for a stored card leaves within the time that its register gave, and not after a cancellation", () => {
    const start = (): Story =>
      new Story({ ...storedCardSale, expiresAt: storedCardSale.at + 60_000 }).meets({ on: "woken" });
    expect([leaves(start()), leaves(start(), 120_000), leaves(start().meets({ on: "cancel" }))]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("for a refund leaves although its card is gone: nothing takes the refund back, and its card waits for no answer", () => {
    const credit = new Story(KINDS["REFUND"]).meets({ on: "leased" }).meets({ on: "card", card: chipCard });
    expect(leaves(credit, 86_400_000)).toBe(true);
  });

  test("that follows a booking is never too late", () => {
    expect(leaves(new Story(followUp("CAPTURE")).meets({ on: "woken" }), 86_400_000)).toBe(true);
  });
});
