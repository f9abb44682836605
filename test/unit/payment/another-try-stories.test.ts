import { describe, expect, test } from "vitest";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import { everyQueryOf } from "../../../src/payment/machine/next-query.ts";
import { owed } from "../../../src/payment/machine/owed.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import { secondStanding } from "../../../src/payment/recovery/surplus-reversal.ts";
import {
  approval,
  chipCard,
  KINDS,
  refusal,
  Story,
  sale,
  signing,
  silence,
  softDecline,
  stripe,
  tap,
} from "../../support/sale.ts";
import { posted } from "../../support/shown.ts";

const shop = KINDS["SALE, dual"] ?? sale;
const TC = { on: "finished", verdict: "approved", chip: { cryptogramType: "TC" } } as const;
const AAC = { on: "finished", verdict: "declined", chip: {} } as const;
const READ = { on: "finished", verdict: "read", chip: {} } as const;

const begun = (accepted = shop): Story => new Story(accepted).meets({ on: "leased" });
const view = (story: Story) => viewOf(story.payment);

describe("a wrong PIN on a contact card", () => {
  const wrong = (): Story => begun().meets({ on: "card", card: chipCard }).answer(refusal("wrong-pin"));

  test("is told to the card, and is not the end", () => {
    const story = wrong();
    expect(story.payment.terminal).toMatchObject({ at: "completing", issuer: { verdict: "declined", arc: "3035" } });
    expect(view(story).decision).toBeUndefined();
  });

  test("asks the card that is in the slot for a new transaction, which is one more request", () => {
    const story = wrong().meets(AAC);
    expect(story.payment).toMatchObject({
      terminal: { at: "collecting" },
      ask: { again: "wrong-pin", interfaces: ["chip"] },
    });
    story.meets({ on: "card", card: chipCard });
    expect(posted(story)).toEqual(["PA", "PA"]);
    story.answer(approval(1234, "booking-2")).meets(TC);
    expect(view(story)).toMatchObject({ outcome: "APPROVED", gateway: { id: "booking-2" } });
  });

  test("is one too where the device seals the PIN with the card, so that nobody here saw it", () => {
    const sealed = { ...chipCard, icc: "", chip: {}, pinEntered: false };
    const story = begun().meets({ on: "card", card: sealed }).answer(refusal("wrong-pin")).meets(AAC);
    expect(story.payment).toMatchObject({
      terminal: { at: "collecting" },
      ask: { again: "wrong-pin", interfaces: ["chip"] },
    });
    const without = begun()
      .meets({ on: "card", card: { ...chipCard, pinEntered: false } })
      .answer(refusal("wrong-pin"))
      .meets(AAC);
    expect(view(without)).toMatchObject({ outcome: "DECLINED" });
  });

  test("is the end where the device has no PIN pad, sealed or not: nobody could type another one", () => {
    const without = { ...shop, device: { ...shop.device, pinEntry: false } };
    const sealed = { ...chipCard, icc: "", chip: {}, pinEntered: false };
    const story = begun(without).meets({ on: "card", card: sealed }).answer(refusal("wrong-pin")).meets(AAC);
    expect(view(story)).toMatchObject({ outcome: "DECLINED", reason: { code: "wrong-pin" } });
    expect(posted(story)).toEqual(["PA"]);
  });

  test("ends the payment at the third, and when the issuer has had enough", () => {
    const story = wrong().meets(AAC).meets({ on: "card", card: chipCard }).answer(refusal("wrong-pin")).meets(AAC);
    story.meets({ on: "card", card: chipCard }).answer(refusal("wrong-pin"));
    expect(view(story)).toMatchObject({ decision: "not-approved", reason: { code: "wrong-pin" } });
    const exceeded: Answer = {
      ...refusal(),
      is: "declined",
      resultCode: "800.100.178",
      description: "",
      why: "pin-tries-exceeded",
      held: false,
      issuer: {},
    };
    expect(view(wrong().meets(AAC).meets({ on: "card", card: chipCard }).answer(exceeded))).toMatchObject({
      reason: { code: "pin-tries-exceeded" },
    });
  });

  test("can be called off between two tries, without anything to take back", () => {
    const story = wrong().meets({ on: "cancel" }).meets(AAC);
    expect(view(story)).toMatchObject({ outcome: "CANCELLED", reason: { code: "register-cancelled" } });
    const later = wrong().meets(AAC).meets({ on: "cancel" });
    expect(view(later)).toMatchObject({ decision: "not-approved", reason: { code: "register-cancelled" } });
  });

  test("has its three tries also where a tap was soft-declined before", () => {
    const { pinAfterTap: _, ...without } = shop;
    const story = begun(without).meets({ on: "card", card: tap }).answer(softDecline).meets(READ);
    for (const ends of [false, false, true]) {
      story.meets({ on: "card", card: chipCard }).answer(refusal("wrong-pin")).meets(AAC);
      expect(story.payment.terminal.at).toBe(ends ? "over" : "collecting");
    }
    expect(view(story)).toMatchObject({ outcome: "DECLINED", reason: { code: "wrong-pin" } });
  });

  test("is a decline where the bridge was restarted meanwhile", () => {
    const story = wrong().meets({ on: "restarted" });
    expect(view(story)).toMatchObject({ outcome: "DECLINED", reason: { code: "wrong-pin" } });
  });

  test("cancels the payment where the bridge was restarted while the next PIN was awaited: nothing can be booked", () => {
    const story = wrong().meets(AAC).meets({ on: "restarted" });
    expect(view(story)).toMatchObject({
      state: "FINAL",
      outcome: "CANCELLED",
      reason: { code: "bridge-restarted", advice: "retry" },
    });
  });

  test("and a restart once the next one was sent fails it: what may be booked is looked for", () => {
    const story = wrong().meets(AAC).meets({ on: "card", card: chipCard }).meets({ on: "restarted" });
    expect(view(story)).toMatchObject({
      state: "RESOLVING",
      decision: "not-approved",
      reason: { code: "bridge-restarted", advice: "wait" },
    });
    expect(story.payment.ending).toMatchObject({ outcome: "FAILED" });
  });
});

describe("an earlier try that the issuer is said to have refused", () => {
  const WINDOW = shop.rules.unknownWindowMs;
  const ofPin = (): Story =>
    begun()
      .meets({ on: "card", card: chipCard })
      .answer(refusal("wrong-pin"))
      .meets(AAC)
      .meets({ on: "card", card: chipCard });
  const ofTap = (): Story => begun().meets({ on: "card", card: tap }).answer(softDecline).meets({ on: "pin" });
  const stood = (id: string): Answer => ({ ...approval(1234, id), ...({ currency: "EUR" } as const) });
  const own = (story: Story, at: number): string => story.payment.attempts[at]?.operation.merchantTransactionId ?? "";
  const row = (story: Story, id: string, changes: Partial<Found> = {}): Found => ({
    ...{ id, merchantTransactionId: own(story, 0), paymentType: "PA", answer: stood(id) },
    ...changes,
  });
  const lookedAt = (story: Story) =>
    owed(story.payment).flatMap((one) =>
      one.do === "search" && "merchantTransactionId" in one.original ? [one.original.merchantTransactionId] : [],
    );
  const shows = (story: Story, bookings: readonly Found[], afterMs = WINDOW): Story =>
    story.meets(
      {
        on: "searched",
        merchantTransactionId: own(story, 0),
        result: bookings.length === 0 ? { is: "absent" } : { is: "found", bookings },
      },
      afterMs,
    );

  test.each([
    ["a PIN", ofPin, TC],
    ["a tap", ofTap, READ],
  ] as const)(
    "(%s) is taken back where a query shows it, and looked for under its own name, whatever the next one came to",
    (_, tried, finished) => {
      const story = tried().answer(approval(1234, "booking-2")).meets(finished);
      story.answer(stood("captured"));
      shows(story, [row(story, "booking-1")]);
      expect(story.payment.attempts.at(-1)?.operation).toMatchObject({ paymentType: "RV", referencedId: "booking-1" });
      expect(view(story)).toMatchObject({ outcome: "APPROVED", gateway: { id: "booking-2" } });
      story.answer({ is: "unknown", resultCode: "", description: "" });
      expect(lookedAt(story)).toContain(own(story, 0));
      shows(
        story,
        [
          row(story, "booking-1"),
          row(story, "rv-1", { merchantTransactionId: story.newest(), paymentType: "RV", referencedId: "booking-1" }),
        ],
        60_000,
      );
      expect(secondStanding(story.payment)).toBeUndefined();
      expect(lookedAt(story)).not.toContain(own(story, 0));
      expect(posted(story)).toEqual(["PA", "PA", "CP", "RV"]);
    },
  );

  test("is asked for besides the payment itself before a person's word counts", () => {
    const story = ofPin().answer(approval(1234, "booking-2")).meets(TC).answer(stood("captured"));
    shows(story, [row(story, "booking-1")]);
    expect(everyQueryOf(story.payment).map(({ original }) => original)).toEqual([
      { merchantTransactionId: own(story, 1) },
      { merchantTransactionId: own(story, 0) },
    ]);
  });

  test("and that is not decided when a person closes the payment is looked for under its own name", () => {
    const story = ofPin().answer(approval(1234, "booking-2")).meets(TC).answer(stood("captured"));
    shows(story, [
      row(story, "booking-1", {
        answer: { is: "pending", id: "booking-1", resultCode: "000.200.000", description: "" },
      }),
    ]);
    story.meets({ on: "resolved", as: "reversed", by: "alice", reason: "asked the acquirer" }, WINDOW);
    expect(new Set(lookedAt(story))).toEqual(new Set([own(story, 0)]));
    expect(secondStanding(story.payment)).toBeUndefined();
    shows(story, [row(story, "booking-1")]);
    expect(story.payment.attempts.at(-1)?.operation).toMatchObject({ paymentType: "RV", referencedId: "booking-1" });
  });

  test("whose refund in place of its reversal was not heard is looked for with it", () => {
    const single = { ...shop, channel: { ...shop.channel, settlement: "single" as const } };
    const story = begun(single)
      .meets({ on: "card", card: chipCard })
      .answer(refusal("wrong-pin"))
      .meets(AAC)
      .meets({ on: "card", card: chipCard });
    story.answer(approval(1234, "booking-2")).meets(TC);
    shows(story, [row(story, "booking-1", { paymentType: "DB" })]);
    story.answer({ is: "not-reversible", resultCode: "700.400.530", description: "" });
    shows(story, [row(story, "booking-1", { paymentType: "DB" })], 5_000);
    expect(posted(story)).toEqual(["DB", "DB", "RV", "RF"]);
    story.answer({ is: "unknown", resultCode: "", description: "" });
    expect(new Set(lookedAt(story))).toEqual(new Set([own(story, 0)]));
  });
});

describe("a soft decline after a tap", () => {
  const soft = (accepted = shop): Story => begun(accepted).meets({ on: "card", card: tap }).answer(softDecline);

  test("asks for the PIN where the terminal can, and sends the same card once more", () => {
    const story = soft();
    expect(story.payment.terminal.at).toBe("asking-pin");
    expect(owed(story.payment)).toContainEqual(expect.objectContaining({ do: "ask-pin" }));
    story.meets({ on: "pin" });
    expect(posted(story)).toEqual(["PA", "PA"]);
    story.answer(approval()).meets(READ);
    expect(view(story)).toMatchObject({ outcome: "APPROVED", card: { cvm: "online-pin" } });
  });

  test("is verified by that PIN, whatever the tap's own results said and say again: nobody signs", () => {
    const signed = { ...tap, chip: { ...tap.chip, cvm: "signature" } };
    const story = begun()
      .meets({ on: "card", card: signed })
      .answer(softDecline)
      .meets({ on: "pin" })
      .answer(approval());
    story.meets({ ...READ, chip: { cvm: "signature", tsi: "E800" } });
    expect(view(story)).toMatchObject({ outcome: "APPROVED", card: { cvm: "online-pin" }, emv: { tsi: "E800" } });
  });

  test("asks for the chip where the terminal takes no PIN after a tap", () => {
    const { pinAfterTap: _, ...without } = shop;
    const story = soft(without);
    expect(story.payment.terminal).toMatchObject({ at: "completing", issuer: { verdict: "declined" } });
    story.meets(READ);
    expect(story.payment).toMatchObject({
      terminal: { at: "collecting" },
      ask: { again: "use-chip", interfaces: ["chip"] },
    });
    story.meets({ on: "card", card: chipCard }).answer(approval(1234, "booking-2")).meets(TC);
    expect(view(story)).toMatchObject({ outcome: "APPROVED", card: { entryMode: "ICC" } });
  });

  test("asks for the PIN once only: a soft decline of that is answered by the chip", () => {
    const story = soft().meets({ on: "pin" }).answer(softDecline);
    expect(story.payment.terminal).toMatchObject({ at: "completing", issuer: { verdict: "declined" } });
    expect(story.meets(READ).payment.ask?.again).toBe("use-chip");
  });

  test.each(["NFC_ICC", "NFC_MAGSTRIPE"] as const)(
    "is never answered by the stripe (%s), which would leave out the PIN that the issuer asks for",
    (entryMode) => {
      const { pinAfterTap: _, ...without } = shop;
      const story = begun(without)
        .meets({ on: "card", card: { ...tap, entryMode } })
        .answer(softDecline)
        .meets(READ);
      story.meets({ on: "no-card", why: "chip-unreadable" });
      expect(story.payment).toMatchObject({
        terminal: { at: "collecting" },
        ask: { again: "chip-unreadable", interfaces: ["chip"] },
      });
      story.meets({ on: "no-card", why: "chip-unreadable" });
      expect(view(story)).toMatchObject({
        outcome: "FAILED",
        reason: { code: "fallback-not-allowed", advice: "other-card" },
      });
    },
  );

  test.each([
    ["the PIN", shop],
    ["the chip", { ...shop, pinAfterTap: undefined }],
  ] as const)(
    "cancels the payment where the bridge was restarted while %s was awaited: nothing can be booked",
    (what, accepted) => {
      const story = soft(accepted);
      if (what === "the chip") story.meets(READ);
      expect(["asking-pin", "collecting"]).toContain(story.payment.terminal.at);
      expect(view(story.meets({ on: "restarted" }))).toMatchObject({
        state: "FINAL",
        outcome: "CANCELLED",
        reason: { code: "bridge-restarted" },
      });
    },
  );

  test("to a card that is in the slot asks for nothing: there is no better way to present it", () => {
    const story = begun().meets({ on: "card", card: chipCard }).answer(softDecline);
    const told = { code: "soft-declined", advice: "other-card", message: expect.not.stringContaining("insert") };
    expect(view(story)).toMatchObject({ decision: "not-approved", reason: told });
    expect(story.meets(AAC).payment.terminal).toMatchObject({ at: "over" });
    expect(posted(story)).toEqual(["PA"]);
  });

  test("asks for the chip where the PIN pad takes no PIN for this tap", () => {
    const story = soft().meets({ on: "terminal-failed", code: "refused", detail: "the tap came without its track" });
    expect(story.payment.terminal).toMatchObject({ at: "completing", issuer: { verdict: "declined" } });
    expect(story.meets(READ).payment).toMatchObject({
      terminal: { at: "collecting" },
      ask: { again: "use-chip", interfaces: ["chip"] },
    });
    story.meets({ on: "card", card: chipCard }).answer(approval(1234, "booking-2")).meets(TC);
    expect(view(story)).toMatchObject({ outcome: "APPROVED", card: { entryMode: "ICC" } });
    expect(view(soft().meets({ on: "terminal-failed", code: "no-answer", detail: "" }))).toMatchObject({
      outcome: "FAILED",
      reason: { code: "terminal-lost" },
    });
  });

  test("asks for nothing more where the register has cancelled: what the terminal refuses then is the calling off", () => {
    const story = soft().meets({ on: "cancel" }).meets({ on: "terminal-failed", code: "refused", detail: "" });
    expect(view(story)).toMatchObject({ outcome: "CANCELLED", reason: { code: "register-cancelled" } });
  });

  test("stands where that PIN pad is all there is, or the card is tapped and swiped all the same", () => {
    const story = soft({ ...shop, interfaces: ["contactless"] }).meets({
      on: "terminal-failed",
      code: "refused",
      detail: "",
    });
    expect(view(story.meets(READ))).toMatchObject({ outcome: "DECLINED", reason: { code: "soft-declined" } });
    const stubborn = soft({ ...shop, pinAfterTap: undefined }).meets(READ);
    for (let times = 0; times < 2; times += 1) stubborn.meets({ on: "no-card", why: "use-chip" });
    expect(view(stubborn)).toMatchObject({
      outcome: "DECLINED",
      reason: { code: "soft-declined", advice: "use-chip" },
    });
  });

  test("is the end where no chip can be read, and asks for none that could not be inserted either", () => {
    const tapOnly = { ...shop, pinAfterTap: undefined, interfaces: ["contactless" as const] };
    const ended = (accepted: typeof tapOnly) => view(soft(accepted).meets(READ));
    expect(ended(tapOnly)).toMatchObject({
      outcome: "DECLINED",
      reason: { code: "soft-declined", advice: "other-card" },
    });
    const leftOut = { ...tapOnly, entryModes: ["contactless" as const] };
    expect(ended(leftOut)).toMatchObject({
      outcome: "DECLINED",
      reason: { code: "soft-declined", advice: "use-chip" },
    });
  });

  test("and a PIN that is not typed ends it", () => {
    expect(view(soft().meets({ on: "no-card", why: "pin-timeout" }))).toMatchObject({
      outcome: "CANCELLED",
      reason: { code: "pin-timeout" },
    });
    expect(view(soft().meets({ on: "cancelled", by: "customer" }))).toMatchObject({
      outcome: "CANCELLED",
      reason: { code: "customer-cancelled" },
    });
    expect(view(soft().meets({ on: "woken" }, 80_000))).toMatchObject({
      outcome: "FAILED",
      reason: { code: "terminal-lost" },
    });
  });
});

describe("a decline by which the issuer would have the cardholder identify", () => {
  const wants: Answer = { ...refusal(), ...({ wantsCardholder: true } as const) };
  const tapped = (): Story => begun().meets({ on: "card", card: tap });

  test("asks the card that was tapped for its PIN, heard directly and told by a query alike", () => {
    expect(tapped().answer(wants).payment.terminal.at).toBe("asking-pin");
    const story = tapped().answer(silence);
    const row: Found = { id: "booking-1", merchantTransactionId: story.newest(), paymentType: "PA", answer: wants };
    story.meets({ on: "searched", merchantTransactionId: story.newest(), result: { is: "found", bookings: [row] } });
    expect(story.payment.terminal.at).toBe("asking-pin");
    story.meets({ on: "pin" }).answer(approval(1234, "booking-2")).meets(READ);
    expect(view(story)).toMatchObject({ outcome: "APPROVED", gateway: { id: "booking-2" } });
  });

  test("is told as a soft decline where nothing more can be done about it", () => {
    const story = begun({ ...shop, pinAfterTap: undefined, interfaces: ["contactless"] }).meets({
      on: "card",
      card: { ...tap, entryMode: "NFC_MAGSTRIPE" },
    });
    expect(view(story.answer(wants).meets(READ))).toMatchObject({
      outcome: "DECLINED",
      reason: { code: "soft-declined" },
    });
  });

  test.each([
    ["a contact chip", shop, chipCard],
    ["a stripe", shop, stripe],
    ["a tap to which money is given", KINDS["REFUND"] ?? shop, tap],
  ])("is an ordinary decline of %s", (_, accepted, card) => {
    const story = begun(accepted).meets({ on: "card", card }).answer(wants);
    if (story.payment.terminal.at === "completing") story.meets(AAC);
    expect(view(story)).toMatchObject({ outcome: "DECLINED", reason: { code: "host-declined" } });
    expect(posted(story)).toHaveLength(1);
  });
});

describe("a chip that cannot be read", () => {
  const unreadable = (story: Story): Story => story.meets({ on: "no-card", why: "chip-unreadable" });

  test("is tried again, and then the stripe may be swiped instead, as a fallback", () => {
    const story = unreadable(begun());
    expect(story.payment).toMatchObject({ ask: { again: "chip-unreadable" }, terminal: { at: "collecting" } });
    unreadable(story);
    expect(story.payment).toMatchObject({
      ask: { again: "fallback", interfaces: ["stripe"] },
      terminal: { at: "collecting" },
    });
    story
      .meets({ on: "card", card: { ...stripe, entryMode: "MAGSTRIPE_AS_FALLBACK" } })
      .answer(approval())
      .meets(READ);
    expect(view(story)).toMatchObject({ outcome: "APPROVED", card: { entryMode: "MAGSTRIPE_AS_FALLBACK" } });
  });

  test("ends the payment where the stripe may not be used", () => {
    const strict = { ...shop, rules: { ...shop.rules, fallback: { allowed: false, chipTries: 1, withinMs: 60_000 } } };
    expect(view(unreadable(begun(strict)))).toMatchObject({
      outcome: "FAILED",
      reason: { code: "fallback-not-allowed" },
    });
    const noChip = { ...shop, interfaces: ["contactless" as const, "stripe" as const] };
    expect(view(unreadable(begun(noChip)))).toMatchObject({ outcome: "FAILED" });
    const chipOnly = { ...shop, interfaces: ["chip" as const] };
    expect(view(unreadable(unreadable(begun(chipOnly))))).toMatchObject({
      outcome: "FAILED",
      reason: { code: "chip-unreadable" },
    });
  });

  test("is not waited for longer than a fallback may take", () => {
    const hasty = {
      ...shop,
      rules: { ...shop.rules, cardMs: 600_000, fallback: { allowed: true, chipTries: 1, withinMs: 30_000 } },
    };
    const story = unreadable(begun(hasty)).meets({ on: "woken" }, 30_000 + 60_000 + 60_000);
    expect(view(story)).toMatchObject({ outcome: "FAILED", reason: { code: "terminal-lost" } });
  });
});

describe("a card that was swiped or tapped and has to be inserted", () => {
  test("is asked for twice, not for ever", () => {
    const story = begun().meets({ on: "no-card", why: "use-chip" });
    expect(story.payment).toMatchObject({
      ask: { again: "use-chip", interfaces: ["chip"] },
      terminal: { at: "collecting" },
    });
    story.meets({ on: "no-card", why: "use-chip" }).meets({ on: "no-card", why: "use-chip" });
    expect(view(story)).toMatchObject({ outcome: "FAILED", reason: { code: "chip-required", advice: "use-chip" } });
  });

  test.each([
    ["the register had left the chip out", ["magstripe"], "use-chip", "has to be inserted."],
    ["the terminal takes no chip", undefined, "other-card", "takes none that way"],
  ] as const)("is not asked for where %s, which its reason says", (_, entryModes, advice, message) => {
    const accepted = { ...shop, interfaces: ["stripe" as const], ...(entryModes && { entryModes: [...entryModes] }) };
    const story = begun(accepted).meets({ on: "no-card", why: "use-chip" });
    expect(view(story)).toMatchObject({
      outcome: "FAILED",
      reason: { code: "chip-required", advice, message: expect.stringContaining(message) },
    });
  });
});

describe("a card that wants a signature", () => {
  const signed = (): Story => begun().meets({ on: "card", card: signing }).answer(approval()).meets(TC);

  test("is approved once the cashier accepted it, and not before", () => {
    const story = signed();
    expect(view(story)).toMatchObject({ state: "COMPLETING", prompt: { code: "SIGN" } });
    expect(view(story).decision).toBeUndefined();
    expect(posted(story)).toEqual(["PA"]);
    story.meets({ on: "signature", accepted: true });
    expect(view(story)).toMatchObject({ outcome: "APPROVED" });
    expect(posted(story)).toEqual(["PA", "CP"]);
  });

  test.each([
    ["refused", (story: Story) => story.meets({ on: "signature", accepted: false })],
    ["not judged within five minutes", (story: Story) => story.meets({ on: "woken" }, 300_000)],
  ])("is taken back when it was %s", (_, happens) => {
    const story = happens(signed());
    expect(view(story)).toMatchObject({ decision: "not-approved", reason: { code: "signature-refused" } });
    expect(posted(story)).toEqual(["PA", "RV"]);
    expect(view(story.answer(approval(1234, "rv")))).toMatchObject({ outcome: "CANCELLED" });
  });

  test("still waits for the cashier after a restart", () => {
    const story = signed().meets({ on: "restarted" });
    expect(view(story)).toMatchObject({ prompt: { code: "SIGN" } });
    expect(view(story.meets({ on: "signature", accepted: true }))).toMatchObject({ outcome: "APPROVED" });
  });
});
