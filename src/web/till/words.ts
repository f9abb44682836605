import type { PaymentType, PaymentView } from "../../payment/view-schema.ts";
import { moneyText } from "../design/money-text.ts";
import { timeFormat } from "../design/time-format.ts";
import type { Title } from "./asked.ts";

/** Undefined: the browser's own language. */
const LOCALE = undefined;

export function timeText(iso: string): string {
  return timeFormat({ timeStyle: "short" }, LOCALE).format(new Date(iso));
}

export function momentText(iso: string): string {
  return timeFormat({ dateStyle: "medium", timeStyle: "short" }, LOCALE).format(new Date(iso));
}

const NAMES: Readonly<Record<PaymentType, string>> = {
  SALE: "Sale",
  PREAUTHORIZATION: "Reservation",
  REFUND: "Refund to a card",
  REGISTRATION: "Card stored",
  CAPTURE: "Capture",
  VOID: "Void",
  LINKED_REFUND: "Refund",
  INCREMENT: "Raise",
};

export function nameOfType(type: PaymentType): string {
  return NAMES[type];
}

/** "Sale of €12.34" */
export function titleText({ type, amount, currency }: Title): string {
  return amount === undefined || currency === undefined
    ? NAMES[type]
    : `${NAMES[type]} of ${moneyText(amount, currency)}`;
}

export function titleOf({ type, amount, currency }: PaymentView): Title {
  return { type, amount, currency };
}

const ENTRY_MODES: Readonly<Record<NonNullable<PaymentView["card"]>["entryMode"], string>> = {
  MANUAL: "number typed on the terminal",
  MAGSTRIPE: "swiped",
  MAGSTRIPE_AS_FALLBACK: "swiped, because the chip could not be read",
  ICC: "inserted",
  NFC_ICC: "tapped",
  NFC_MAGSTRIPE: "tapped",
};

/** "VISA ···0050, inserted", or the way without a card. */
export function cardText({ card, registration, terminal, type }: PaymentView): string | undefined {
  if (card !== undefined)
    return `${card.brand}${card.last4 === undefined ? "" : ` ···${card.last4}`}, ${ENTRY_MODES[card.entryMode]}`;
  if (registration !== undefined) return "stored card";
  return terminal === "" && type === "SALE" ? "by link" : undefined;
}
