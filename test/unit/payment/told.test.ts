import { describe, expect, test } from "vitest";
import { admit } from "../../../src/payment/admission/admit.ts";
import { isReversalShown } from "../../../src/payment/attempt/observation.ts";
import { wantsSignature } from "../../../src/payment/card/signature.ts";
import { cancellation } from "../../../src/payment/machine/decide.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import {
  approval,
  authorizing,
  followUp,
  linkMade,
  linkSale,
  notSent,
  Story,
  sale,
  signing,
  silence,
  storedCardSale,
} from "../../support/sale.ts";
import { look, own } from "../../support/shown.ts";

const view = ({ payment }: Story) => viewOf(payment);

describe("a register is told", () => {
  test("nothing of the gateway before anything is asked there", () => {
    expect(view(new Story()).gateway).toBeUndefined();
    expect(view(authorizing()).gateway?.attempts).toHaveLength(1);
  });

  test("no amounts of a void", () => {
    const story = new Story(followUp("VOID")).meets({ on: "woken" }).answer(approval()).meets({ on: "original-told" });
    expect(view(story)).toMatchObject({ outcome: "APPROVED" });
    expect(view(story).approvedAmount).toBeUndefined();
  });

  test("that the gateway could not be reached, as long as nothing was sent to it", () => {
    const story = new Story(followUp("CAPTURE")).meets({ on: "woken" }).answer(notSent);
    expect(view(story).reason).toMatchObject({ code: "gateway-unreached", advice: "wait" });
  });

  test("of money given back only where it is about a refund", () => {
    const story = authorizing().answer(silence).meets({ on: "terminal-failed", code: "no-answer", detail: "" });
    expect(view(story).reason?.code).toBe("terminal-lost");
    expect(view(story).reason?.message).not.toContain("given back");
  });
});

describe("a cancellation", () => {
  test("of a payment that has ended, and whose booking is being reversed, is too late", () => {
    const story = new Story(storedCardSale).meets({ on: "woken" }).answer(approval(1000));
    expect(view(story).state).toBe("REVERSING");
    expect(cancellation(story.payment)).toBe("too-late");
  });

  test("of a refund that the gateway was asked for is too late", () => {
    expect(cancellation(new Story(followUp("LINKED_REFUND")).meets({ on: "woken" }).payment)).toBe("too-late");
  });
});

test("a card that wanted a signature, and declined, waits for no cashier", () => {
  const signed = (verdict: "approved" | "declined"): boolean =>
    wantsSignature(
      new Story()
        .meets({ on: "leased" })
        .meets({ on: "card", card: signing })
        .answer(approval())
        .meets({ on: "finished", verdict, chip: {} }).payment,
    );
  expect([signed("approved"), signed("declined")]).toEqual([true, false]);
});

test("a start that names its order is not warned of other payments of the same amount", () => {
  const terminal = { state: "ready", reason: undefined, heldBy: undefined, accepts: ["chip"] } as const;
  const other = { reference: "a", register: "r", terminal: "t", order: undefined, amount: 1234, currency: "EUR" };
  const request = { ...sale, type: "SALE", terminal: "t", queue: false, entryModes: undefined } as const;
  const admitted = (order: string | undefined) => admit({ ...request, order }, "r", terminal, [other]);
  expect(admitted(undefined)).toMatchObject({ ok: true, value: { warnings: [expect.any(String)] } });
  expect(admitted("table-4")).toMatchObject({ ok: true, value: { warnings: [] } });
});

test("a paid link is still seen to be reversed once it is settled, also without the id of its booking", () => {
  const story = new Story(linkSale).meets({ on: "woken" }).answer(linkMade);
  story.meets({ on: "link-seen", sight: { is: "paid" } });
  const booking = own(story, approval(), { paymentType: "DB" });
  look(story, [booking]);
  expect(view(story).outcome).toBe("APPROVED");
  const reversal = own(story, approval(1234, "rv-9"), { id: "rv-9", paymentType: "RV", referencedId: "booking-1" });
  look(story, [booking, reversal]);
  expect(story.payment.attempts.map(isReversalShown)).toEqual([true]);
});
