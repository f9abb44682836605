import { describe, expect, it } from "vitest";
import { outcomes, type PaymentView, paymentTypes, states } from "../../../../src/payment/view-schema.ts";
import { type Look, pictureOf } from "../../../../src/web/till/picture.ts";
import type { Standing } from "../../../../src/web/till/standing.ts";
import { APPROVED, reason, somePayment } from "./some-payment.ts";

const known = (change: Partial<PaymentView>): Standing => ({ is: "known", payment: somePayment(change) });
const prompt = (code: string, text: string) => ({ prompt: { code, text } });
const LINK = { url: "https://gateway.example/1", qr: "<svg/>", validUntil: "2026-03-01T11:00:00.000Z" };
const NO = { state: "FINAL", decision: "not-approved" } as const;
const WAIT = reason("outcome-unknown", "wait");

describe("what a payment looks like", () => {
  it.each<[string, Partial<PaymentView>, Look, string]>([
    ["accepted", { state: "CREATED" }, "busy", "The terminal gets ready…"],
    ["in the queue", { state: "QUEUED" }, "busy", "Waiting for the terminal"],
    [
      "a card is asked for",
      { state: "AWAITING_CARD", ...prompt("INSERT_OR_TAP", "Insert or tap the card") },
      "prompt",
      "Insert or tap the card",
    ],
    [
      "a prompt of a later bridge",
      { state: "AWAITING_CARD", ...prompt("WAVE", "Wave the card") },
      "prompt",
      "Wave the card",
    ],
    ["the bank is asked", { state: "AUTHORIZING" }, "busy", "The bank is asked…"],
    [
      "a signature is wanted",
      { state: "COMPLETING", ...prompt("SIGN", "The customer signs") },
      "sign",
      "The customer signs",
    ],
    ["a link to be paid", { state: "AWAITING_CARD", terminal: "", link: LINK }, "link", "Scan to pay"],
    ["approved", APPROVED, "good", "Approved"],
    [
      "approved, card still in",
      { ...APPROVED, prompt: { code: "APPROVED", text: "Approved. Take the card out", removeCard: true } },
      "good",
      "Approved",
    ],
    ["approved in part", { ...APPROVED, outcome: "PARTIALLY_APPROVED", approvedAmount: "6.17" }, "part", "A part only"],
    ["voided since", { ...APPROVED, voidedBy: "pay_2" }, "over", "Taken back"],
    ["reserved", { ...APPROVED, type: "PREAUTHORIZATION" }, "good", "Reserved"],
    ["refunded", { ...APPROVED, type: "LINKED_REFUND" }, "good", "Refunded"],
    ["a void", { ...APPROVED, type: "VOID" }, "good", "Taken back"],
    ["declined", { ...NO, outcome: "DECLINED", ...reason("host-declined", "other-card") }, "bad", "Declined"],
    ["cancelled", { ...NO, outcome: "CANCELLED", ...reason("register-cancelled", "retry") }, "bad", "Cancelled"],
    ["failed", { ...NO, outcome: "FAILED", ...reason("terminal-lost", "retry") }, "bad", "Not paid"],
    [
      "declined, the card not yet out",
      { state: "COMPLETING", decision: "not-approved", ...reason("host-declined", "other-card") },
      "bad",
      "Not approved",
    ],
    [
      "a link that was cancelled",
      { state: "RESOLVING", decision: "not-approved", terminal: "", ...reason("register-cancelled", "retry") },
      "bad",
      "Not approved",
    ],
    [
      "cancel on its way",
      { state: "AWAITING_CARD", decision: "not-approved", ...reason("register-cancelled", "wait") },
      "busy",
      "Ending it…",
    ],
    ["nobody knows", { state: "RESOLVING", ...WAIT }, "unknown", "Not known yet"],
    ["a void at work", { type: "VOID", terminal: "", state: "REVERSING" }, "unknown", "Not known yet"],
    ["being taken back", { state: "REVERSING", decision: "not-approved", ...WAIT }, "unknown", "Being taken back"],
    [
      "looked for, surely no sale",
      { state: "RESOLVING", decision: "not-approved", ...WAIT },
      "unknown",
      "Being taken back",
    ],
    ["an end without a decision", { state: "FINAL" }, "unknown", "Not known yet"],
  ])("%s", (_, change, look, title) => {
    expect(pictureOf(known(change), "SALE", true)).toMatchObject({ look, title });
  });

  it("lets goods go on an approved sale alone, in every combination of state, decision and outcome", () => {
    for (const state of states) {
      for (const decision of ["approved", "not-approved", undefined] as const) {
        for (const outcome of [...outcomes, undefined]) {
          for (const type of paymentTypes) {
            const change = { state, type, ...(decision && { decision }), ...(outcome && { outcome }), ...WAIT };
            const { isPaid, look } = pictureOf(known(change), type, true);
            expect(isPaid).toBe(type === "SALE" && decision === "approved" && outcome !== "PARTIALLY_APPROVED");
            if (decision !== "approved") expect(["good", "part"]).not.toContain(look);
            if ((state === "RESOLVING" || state === "REVERSING") && decision !== "approved")
              expect(look).toBe("unknown");
          }
        }
      }
    }
  });

  it("is never a decline, nor a yes, while the connection is cut", () => {
    for (const state of states.filter((each) => each !== "FINAL"))
      expect(pictureOf(known({ state }), "SALE", false).look).toBe("unknown");
    expect(pictureOf({ is: "unheard" }, "SALE", false).look).toBe("unknown");
    expect(pictureOf({ is: "sending" }, "SALE", false).look).toBe("unknown");
  });

  it("stays what it was at its end, also while the connection is cut", () => {
    expect(pictureOf(known(APPROVED), "SALE", false).look).toBe("good");
  });

  it.each([
    ["SALE", "Do not sell again, do not hand over."],
    ["LINKED_REFUND", "Do not give it back again, not in cash either."],
    ["CAPTURE", "Do not do it again."],
  ] as const)("says of a %s that nobody knows of what not to do", (type, text) => {
    expect(pictureOf(known({ type, state: "RESOLVING" }), type, true).text).toBe(text);
  });

  it("says what the bank keeps, and what turned up late", () => {
    const declined = pictureOf(
      known({ ...NO, outcome: "DECLINED", held: true, lateBooking: true, ...reason("host-declined", "other-card") }),
      "SALE",
      true,
    );
    expect(declined.next).toContain("keeps the amount reserved");
    expect(declined.next).toContain("turned up later");
  });
});
