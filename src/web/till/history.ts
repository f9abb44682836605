import type { PaymentView } from "../../payment/view-schema.ts";
import { moneyText } from "../design/money-text.ts";
import { cardText, nameOfType } from "./words.ts";

/** Filter of the history. The page searches; the bridge filters the rest. */
export interface Wanted {
  readonly show: "all" | "open" | "APPROVED" | "PARTIALLY_APPROVED" | "DECLINED" | "CANCELLED" | "FAILED";
  readonly day: string;
  readonly terminal: string;
  readonly search: string;
}

export const EVERYTHING: Wanted = { show: "all", day: "", terminal: "", search: "" };

/** The parameters of `payment.list`. */
export function filterOf(
  { show, terminal }: Wanted,
  period: { readonly from: string; readonly to: string } | undefined,
): Readonly<Record<string, string | boolean>> {
  return {
    ...(show === "open" ? { open: true } : show === "all" ? {} : { outcome: show }),
    ...(terminal !== "" && { terminal }),
    ...period,
  };
}

/** Every word must occur in the payment's texts in the list. */
export function isFound(payment: PaymentView, search: string): boolean {
  const { reference, type, amount, currency, cashier, order, id, authorization, registration, gateway } = payment;
  const money = amount === undefined ? [] : [amount, moneyText(amount, currency)];
  const texts = [
    reference,
    id,
    nameOfType(type),
    cashier,
    order,
    cardText(payment),
    authorization?.code,
    registration,
    gateway?.registrationId,
    ...money,
  ];
  const text = texts
    .filter((each) => each !== undefined)
    .join(" ")
    .toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export interface History {
  readonly payments: readonly PaymentView[];
  /** Start of the next page; undefined: there is none. */
  readonly next: string | undefined;
  readonly is: "loading" | "loaded" | "failed";
}

export const NO_HISTORY: History = { payments: [], next: undefined, is: "loading" };

export type HistoryEvent =
  | { readonly is: "asked" }
  | {
      readonly is: "page";
      readonly payments: readonly PaymentView[];
      readonly next: string | undefined;
      readonly isFirst: boolean;
    }
  | { readonly is: "failed" }
  /** Changed payments; new ones come with the next read. */
  | { readonly is: "changed"; readonly payments: readonly PaymentView[] };

export function nextHistory(history: History, event: HistoryEvent): History {
  switch (event.is) {
    case "asked":
      return { ...history, is: "loading" };
    case "page":
      return {
        payments: event.isFirst ? event.payments : [...history.payments, ...event.payments],
        next: event.next,
        is: "loaded",
      };
    case "failed":
      return { ...history, is: "failed" };
    case "changed":
      return {
        ...history,
        payments: history.payments.map((payment) => event.payments.find(({ id }) => id === payment.id) ?? payment),
      };
  }
}
