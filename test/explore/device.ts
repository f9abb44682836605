import type { CardRead } from "../../src/payment/fact/fact.ts";
import type { Owed } from "../../src/payment/machine/owed.ts";
import type { Happening } from "../../src/payment/state/input.ts";
import type { Payment } from "../../src/payment/state/payment.ts";

/** One thing that a terminal, its card and the people before it may do next. */
export interface DeviceOutcome {
  readonly name: string;
  readonly cost: 0 | 1;
  readonly what: Happening;
}

const chip = { aid: "A0000000031010", cryptogram: "1122334455667788", cryptogramType: "ARQC" } as const;
const plain = { brand: "VISA", last4: "0050", icc: "9F26", pinEntered: false, decision: "online" } as const;

const CARDS = {
  pin: { ...plain, entryMode: "ICC", pinEntered: true, chip: { ...chip, cvm: "online-pin" } },
  signature: { ...plain, entryMode: "ICC", chip: { ...chip, cvm: "signature" } },
  "approves offline": {
    ...plain,
    entryMode: "ICC",
    decision: "approved-offline",
    chip: { ...chip, cryptogramType: "TC" },
  },
  "declines offline": {
    ...plain,
    entryMode: "ICC",
    decision: "declined-offline",
    chip: { ...chip, cryptogramType: "AAC" },
  },
  tap: { ...plain, entryMode: "NFC_ICC", chip },
  stripe: { ...plain, entryMode: "MAGSTRIPE", icc: "", chip: {} },
  fallback: { ...plain, entryMode: "MAGSTRIPE_AS_FALLBACK", icc: "", chip: {} },
} as const satisfies Record<string, CardRead>;

const failed: DeviceOutcome = {
  name: "the terminal is lost",
  cost: 1,
  what: { on: "terminal-failed", code: "no-answer", detail: "" },
};
const stopped: DeviceOutcome = { name: "the customer cancels", cost: 1, what: { on: "cancelled", by: "customer" } };

/**
 * What may come of an effect at the terminal, the expected first; undefined for effects that are not the terminal's.
 */
export function deviceOutcomes(effect: Owed, payment: Payment): readonly DeviceOutcome[] | undefined {
  switch (effect.do) {
    case "lease":
      return [
        { name: "the terminal is given", cost: 0, what: { on: "leased" } },
        ...(payment.terminal.at === "none"
          ? [{ name: "another payment has the terminal", cost: 1, what: { on: "queued" } } as const]
          : []),
        {
          name: "a card stays in the slot",
          cost: 1,
          what: { on: "terminal-failed", code: "card-left-in", detail: "" },
        },
      ];
    case "collect":
      return payment.ending === undefined ? collecting(payment) : calledOffLate(payment);
    case "ask-pin":
      return [{ name: "the PIN is typed", cost: 0, what: { on: "pin" } }, noCard("pin-timeout"), stopped, failed];
    case "call-off":
      return [{ name: "the terminal has called off", cost: 0, what: { on: "cancelled", by: "register" } }, failed];
    case "complete":
      return completing(payment, effect.issuer.verdict === "approved");
    case "release":
      return [{ name: "the terminal is given back", cost: 0, what: { on: "released" } }];
    case "post":
    case "search":
    case "watch":
    case "await-original":
    case "tell-originals":
    case "wake":
      return undefined;
  }
}

/** While a card waits for the host no effect is owed, and the terminal may still speak. */
export function whileHolding({ terminal }: Payment): readonly DeviceOutcome[] {
  return terminal.at === "holding" ? [stopped, failed] : [];
}

function card(name: keyof typeof CARDS, cost: 0 | 1): DeviceOutcome {
  return { name: `card: ${name}`, cost, what: { on: "card", card: CARDS[name] } };
}

function noCard(why: Extract<Happening, { on: "no-card" }>["why"]): DeviceOutcome {
  return { name: `no card: ${why}`, cost: 1, what: { on: "no-card", why } };
}

function collecting(payment: Payment): readonly DeviceOutcome[] {
  const ways = payment.ask?.interfaces ?? payment.accepted.interfaces ?? [];
  const isFallback = payment.ask?.again === "fallback";
  const chips = ways.includes("chip")
    ? [
        card("pin", 0),
        card("signature", 0),
        card("approves offline", 1),
        card("declines offline", 1),
        noCard("chip-unreadable"),
        noCard("removed"),
      ]
    : [];
  return [
    ...chips,
    ...(ways.includes("contactless") ? [card("tap", 0), noCard("use-chip")] : []),
    ...(ways.includes("stripe") ? [card(isFallback ? "fallback" : "stripe", 0)] : []),
    noCard("timeout"),
    noCard("blocked"),
    stopped,
    failed,
  ];
}

/** A card that comes while the terminal is being called off. */
function calledOffLate(payment: Payment): readonly DeviceOutcome[] {
  return payment.accepted.interfaces?.includes("chip") === true ? [card("pin", 1), failed] : [failed];
}

function completing({ card: read }: Payment, isApproved: boolean): readonly DeviceOutcome[] {
  const says = (name: string, verdict: "approved" | "declined" | "read", cost: 0 | 1): DeviceOutcome => ({
    name,
    cost,
    what: {
      on: "finished",
      verdict,
      chip: verdict === "read" ? {} : { cryptogramType: verdict === "approved" ? "TC" : "AAC" },
    },
  });
  // A tap or a stripe has no word of its own; its terminal may refuse all the same what the issuer approved.
  const refused = isApproved ? [says("the terminal refuses it", "declined", 1)] : [];
  if (read?.entryMode !== "ICC") return [says("the terminal takes note", "read", 0), ...refused, stopped, failed];
  const [agrees, refuses] = [
    says("the card gives its TC", "approved", isApproved ? 0 : 1),
    says("the card gives an AAC", "declined", isApproved ? 1 : 0),
  ];
  return [
    ...(isApproved ? [agrees, refuses] : [refuses, agrees]),
    says("the card's verdict cannot be read", "read", 1),
    stopped,
    failed,
  ];
}
