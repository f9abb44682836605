import type { Answer } from "../../src/payment/fact/answer.ts";
import type { Accepted, CardRead, Fact } from "../../src/payment/fact/fact.ts";
import { decide } from "../../src/payment/machine/decide.ts";
import type { Happening } from "../../src/payment/state/input.ts";
import { begin, evolve, fold, type Payment } from "../../src/payment/state/payment.ts";

/** A sale of 12.34 EUR as every test of the machine begins it. */
export const sale: Accepted = {
  fact: "accepted",
  at: 1_000_000,
  id: "pay_1",
  reference: "R-1",
  register: "till",
  type: "SALE",
  terminal: "till-1",
  amount: 1234,
  currency: "EUR",
  allowPartialApproval: true,
  parameters: {},
  fingerprint: "f",
  channel: { environment: "test", entityId: "8a8294174b7ecb28014b9699220015ca", settlement: "dual" },
  device: { terminalId: "12345678", pinEntry: true },
  rules: { cardMs: 60_000, pinMs: 60_000, hostAnswerMs: 45_000, hostWaitMs: 60_000, unknownWindowMs: 1_800_000 },
};

export const chipCard: CardRead = {
  entryMode: "ICC",
  decision: "online",
  brand: "VISA",
  bin: "476134",
  last4: "0050",
  icc: "9F2608AABBCCDDEEFF0011",
  chip: { aid: "A0000000031010", cryptogram: "AABBCCDDEEFF0011", cryptogramType: "ARQC", cvm: "online-pin" },
  pinEntered: true,
};

export const approval = (amount = 1234, id = "booking-1"): Answer => ({
  is: "approved",
  id,
  resultCode: "000.100.110",
  description: "approved",
  amount,
  currency: "EUR",
  review: false,
  issuer: { iccDataResponse: "8A023030910A11223344556677883030", approvalCode: "123456", responseCode: "00" },
});

export const refusal = (why: "host-declined" | "wrong-pin" = "host-declined"): Answer => ({
  is: "declined",
  id: "booking-1",
  resultCode: "800.100.152",
  description: "declined",
  why,
  held: false,
  issuer: { iccDataResponse: "8A023035910AAABBCCDDEEFF00113035" },
});

export const silence: Answer = { is: "unknown", description: "no answer" };
export const notSent: Answer = { is: "not-booked", why: "not-sent", resultCode: "", description: "refused" };

/**
 * Plays inputs one after another; keeps every fact, and checks at each step that the fold of the facts is the live
 * state.
 */
export class Story {
  payment: Payment;
  readonly facts: Fact[];
  now: number;
  #ids = 0;

  constructor(accepted: Accepted = sale) {
    this.payment = begin(accepted);
    this.facts = [accepted];
    this.now = accepted.at;
  }

  meets(what: Happening, afterMs = 10): this {
    this.now += afterMs;
    this.#ids += 1;
    const facts = decide(this.payment, {
      at: this.now,
      fresh: { merchantTransactionId: `mtid-${this.#ids}`, sequenceNumber: this.#ids },
      what,
    });
    this.facts.push(...facts);
    this.payment = facts.reduce(evolve, this.payment);
    const folded = fold(this.facts);
    const names = new Set(this.payment.attempts.map(({ operation }) => operation.merchantTransactionId));
    if (names.size !== this.payment.attempts.length) throw new Error("two requests under one merchantTransactionId");
    if (JSON.stringify(folded) !== JSON.stringify(this.payment))
      throw new Error("the fold of the facts is not the live state");
    return this;
  }

  /** Answers the newest attempt. */
  answer(answer: Answer, afterMs = 10): this {
    return this.meets({ on: "answer", merchantTransactionId: this.newest(), answer }, afterMs);
  }

  newest(): string {
    const last = this.payment.attempts.at(-1);
    if (last === undefined) throw new Error("no attempt yet");
    return last.operation.merchantTransactionId;
  }

  booking(): string {
    const first = this.payment.attempts[0];
    if (first === undefined) throw new Error("no attempt yet");
    return first.operation.merchantTransactionId;
  }

  names(): readonly string[] {
    return this.facts.map(({ fact }) => fact);
  }
}

/** A story up to the moment at which the card waits for the host. */
export function authorizing(accepted: Accepted = sale, card: CardRead = chipCard): Story {
  return new Story(accepted).meets({ on: "leased" }).meets({ on: "card", card });
}

/**
 * A refund to a presented card, up to the moment at which its request is on the wire: the card has said AAC, as it
 * always does to a refund.
 */
export function crediting(): Story {
  return new Story(KINDS["REFUND"])
    .meets({ on: "leased" })
    .meets({ on: "card", card: { ...chipCard, decision: "declined-offline" } });
}

/** Up to the moment at which the host's approval was given to the card. */
export function completing(accepted: Accepted = sale): Story {
  return authorizing(accepted).answer(approval());
}

/** Up to the approved conclusion. */
export function approved(accepted: Accepted = sale): Story {
  return completing(accepted).meets({
    on: "finished",
    verdict: "approved",
    chip: { cryptogram: "1122334455667788", cryptogramType: "TC" },
  });
}

/** Cards that are not a contact chip with a PIN. */
export const tap: CardRead = {
  ...chipCard,
  entryMode: "NFC_ICC",
  pinEntered: false,
  chip: { aid: "A0000000031010", cvm: "none" },
};
export const stripe: CardRead = {
  entryMode: "MAGSTRIPE",
  decision: "online",
  brand: "VISA",
  last4: "0050",
  icc: "",
  chip: {},
  pinEntered: false,
};
export const signing: CardRead = { ...chipCard, pinEntered: false, chip: { ...chipCard.chip, cvm: "signature" } };

export const softDecline: Answer = {
  is: "soft-declined",
  id: "booking-1",
  resultCode: "300.100.100",
  description: "identify",
  issuer: {},
};

/** What a capture, void, refund or increment of the sale above is accepted as. */
export function followUp(
  type: "CAPTURE" | "VOID" | "LINKED_REFUND" | "INCREMENT",
  of: Partial<NonNullable<Accepted["of"]>> = {},
): Accepted {
  const paymentType = type === "LINKED_REFUND" ? "CP" : "PA";
  const original = { payment: "pay_0", targets: [{ id: "original-1", paymentType, amount: 1234 } as const], ...of };
  return { ...sale, id: "pay_2", reference: "F-1", type, of: original };
}

/** The same sale by a stored card: no terminal, and nobody presents anything. */
export const storedCardSale: Accepted = {
  ...sale,
  terminal: "",
  registration: "8ac7a49f000000000000000000000001",
  allowPartialApproval: false,
  device: { terminalId: "", pinEntry: false },
};

/** The same by a link, for which the customer has ten minutes; the gateway's own shortest is an hour. */
export const linkSale: Accepted = {
  ...sale,
  terminal: "",
  link: { until: sale.at + 600_000 },
  allowPartialApproval: false,
  device: { terminalId: "", pinEntry: false },
};

/** What the gateway says to the request for a link. */
export const linkMade: Answer = {
  is: "link",
  id: "link-1",
  url: "https://gateway.example/link-1",
  resultCode: "000.200.100",
  description: "link created",
};

/** Every way a payment can begin, by name. */
export const KINDS: Readonly<Record<string, Accepted>> = {
  "SALE, dual": {
    ...sale,
    interfaces: ["chip", "contactless", "stripe"],
    pinAfterTap: true,
    rules: { ...sale.rules, fallback: { allowed: true, chipTries: 2, withinMs: 60_000 } },
  },
  "SALE, single": { ...sale, interfaces: ["chip", "contactless"], channel: { ...sale.channel, settlement: "single" } },
  "SALE that stores the card": { ...sale, createRegistration: true },
  PREAUTHORIZATION: { ...sale, type: "PREAUTHORIZATION", interfaces: ["chip", "contactless", "stripe"] },
  REFUND: { ...sale, type: "REFUND" },
  REGISTRATION: { ...sale, type: "REGISTRATION", amount: 0 },
  "SALE by a stored card, dual": storedCardSale,
  "SALE by a stored card, single": { ...storedCardSale, channel: { ...sale.channel, settlement: "single" } },
  "SALE by a link": linkSale,
  "PREAUTHORIZATION by a stored card": { ...storedCardSale, type: "PREAUTHORIZATION" },
  CAPTURE: followUp("CAPTURE"),
  VOID: followUp("VOID", {
    targets: [
      { id: "original-1", paymentType: "PA", amount: 1234 },
      { id: "increment-1", paymentType: "PA", amount: 500 },
    ],
  }),
  "VOID of a pending capture": followUp("VOID", { capturing: true }),
  LINKED_REFUND: followUp("LINKED_REFUND"),
  INCREMENT: followUp("INCREMENT"),
};
