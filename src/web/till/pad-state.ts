import { amountTyped, type PadKey, sumOf, typed } from "./amount-pad.ts";
import type { Ask } from "./asked.ts";
import type { StoredCard } from "./stored-cards.ts";

/** Kinds of payment that the cashier can start. */
export const KINDS = ["sale", "reserve", "refund", "link", "stored-card"] as const;
export type Kind = (typeof KINDS)[number];

/** The current entry. Amounts are digits in the currency's smallest unit. */
export interface Pad {
  readonly kind: Kind;
  readonly goods: string;
  readonly tip: string;
  readonly typing: "goods" | "tip";
  /** The refunded sale's reference; empty for a refund to a presented card. */
  readonly refundOf: string;
  readonly isLinked: boolean;
  readonly description: string;
  readonly storesCard: boolean;
  readonly onlyStores: boolean;
  readonly takesPart: boolean;
  readonly isKeyed: boolean;
  readonly stored: StoredCard | undefined;
}

export const EMPTY_PAD: Pad = {
  ...{ kind: "sale", goods: "", tip: "", typing: "goods", refundOf: "", isLinked: true, description: "" },
  ...{ storesCard: false, onlyStores: false, takesPart: false, isKeyed: false, stored: undefined },
};

export type PadEvent =
  | { readonly is: "key"; readonly key: PadKey; readonly currency: string }
  | { readonly is: "kind"; readonly kind: Kind }
  | { readonly is: "set"; readonly change: Partial<Pad> }
  | { readonly is: "empty" };

export function nextPad(pad: Pad, event: PadEvent): Pad {
  switch (event.is) {
    case "key":
      return { ...pad, [pad.typing]: typed(pad[pad.typing], event.key, event.currency) };
    case "kind":
      return { ...EMPTY_PAD, kind: event.kind, goods: pad.goods };
    case "set":
      return { ...pad, ...event.change };
    case "empty":
      return { ...EMPTY_PAD, kind: pad.kind };
  }
}

/** Settings kept from one payment to the next. */
export interface Settings {
  readonly terminal: string;
  readonly currency: string;
  readonly cashier: string;
}

/** Waiting time for the terminal: enough for the last customer to remove the card. */
const QUEUE_MS = 60_000;

export type Ready = { readonly ask: Ask } | { readonly missing: string };

/** The request to send, or the missing field. */
export function askOf(pad: Pad, settings: Settings): Ready {
  switch (pad.kind) {
    case "sale":
    case "reserve":
      return pad.kind === "sale" && pad.onlyStores ? storing(settings) : presented(pad, settings);
    case "refund":
      return pad.isLinked
        ? refund(pad, settings)
        : withAmount(pad, settings, (amount) => started("REFUND", settings, { amount }));
    case "link":
      return withAmount(pad, settings, (amount) => link(amount, pad, settings));
    case "stored-card":
      return withAmount(pad, settings, (amount) => charge(amount, pad, settings));
  }
}

function withAmount(pad: Pad, { currency }: Settings, ready: (amount: string) => Ready): Ready {
  const digits = sumOf(pad.goods, pad.tip);
  return digits === "" ? { missing: "Type an amount first." } : ready(amountTyped(digits, currency));
}

function presented(pad: Pad, settings: Settings): Ready {
  const initial = { type: "UNSCHEDULED", mode: "INITIAL", source: "CIT" };
  const options = {
    ...(pad.tip !== "" && { tip: amountTyped(pad.tip, settings.currency) }),
    ...(pad.takesPart && { allowPartialApproval: true }),
    ...(pad.isKeyed && { entryModes: ["manual"] }),
    // The first payment of an agreement; the merchant charges later ones alone.
    ...(pad.storesCard && { createRegistration: true, standingInstruction: initial }),
  };
  return withAmount(pad, settings, (amount) =>
    started(pad.kind === "reserve" ? "PREAUTHORIZATION" : "SALE", settings, { amount, ...options }),
  );
}

function storing(settings: Settings): Ready {
  return started("REGISTRATION", settings, {});
}

function started(
  type: "SALE" | "PREAUTHORIZATION" | "REFUND" | "REGISTRATION",
  settings: Settings,
  more: { readonly amount?: string },
): Ready {
  const { terminal, currency } = settings;
  if (terminal === "") return { missing: "No terminal is chosen yet. The bridge tells its terminals in a moment." };
  const params = { type, terminal, currency, ...more, ...cashierOf(settings), queue: true, expiresInMs: QUEUE_MS };
  return {
    ask: {
      call: "payment.start",
      params,
      title: { type, currency, ...(more.amount !== undefined && { amount: more.amount }) },
    },
  };
}

function refund(pad: Pad, settings: Settings): Ready {
  const of = pad.refundOf.trim();
  if (of === "") return { missing: "Type the reference of the sale: it stands on its receipt." };
  const amount = pad.goods === "" ? undefined : amountTyped(pad.goods, settings.currency);
  const params = { of, ...(amount !== undefined && { amount }), ...cashierOf(settings) };
  return {
    ask: { call: "payment.refund", params, title: { type: "LINKED_REFUND", amount, currency: settings.currency } },
  };
}

function link(amount: string, { description }: Pad, settings: Settings): Ready {
  const text = description.trim();
  const params = {
    amount,
    currency: settings.currency,
    ...(text !== "" && { description: text }),
    ...cashierOf(settings),
  };
  return { ask: { call: "link.create", params, title: { type: "SALE", amount, currency: settings.currency } } };
}

function charge(amount: string, { stored }: Pad, settings: Settings): Ready {
  if (stored === undefined) return { missing: "Choose the stored card first." };
  const params = {
    registration: stored.registration,
    amount,
    currency: settings.currency,
    standingInstruction: stored.instruction,
    ...cashierOf(settings),
  };
  return { ask: { call: "registration.pay", params, title: { type: "SALE", amount, currency: settings.currency } } };
}

function cashierOf({ cashier }: Settings): { readonly cashier?: string } {
  return cashier.trim() === "" ? {} : { cashier: cashier.trim() };
}
