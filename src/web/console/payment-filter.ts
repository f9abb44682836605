import type { PaymentView } from "../../payment/view-schema.ts";

/** Filter of the payment list. `period`: by creation day in the browser's time zone. */
export interface PaymentFilter {
  readonly search: string;
  readonly standing: "any" | "open" | "approved" | "not-approved";
  readonly terminal: string;
  readonly period: "any" | "today" | "yesterday" | "week";
}

export const NO_FILTER: PaymentFilter = { search: "", standing: "any", terminal: "", period: "any" };

/** Every word of the search must occur in a technician's data of the payment. */
export function matches(payment: PaymentView, filter: Pick<PaymentFilter, "search" | "standing">): boolean {
  const known = searchable(payment);
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  return isStanding(payment, filter.standing) && words.every((word) => known.some((text) => text.includes(word)));
}

function isStanding({ state, outcome }: PaymentView, standing: PaymentFilter["standing"]): boolean {
  const isApproved = outcome === "APPROVED" || outcome === "PARTIALLY_APPROVED";
  switch (standing) {
    case "any":
      return true;
    case "open":
      return state !== "FINAL";
    case "approved":
      return isApproved;
    case "not-approved":
      return state === "FINAL" && !isApproved;
  }
}

function searchable(payment: PaymentView): readonly string[] {
  const {
    id,
    reference,
    register,
    terminal,
    cashier,
    order,
    amount,
    currency,
    type,
    card,
    gateway,
    authorization,
    reason,
  } = payment;
  const attempts =
    gateway?.attempts.flatMap((attempt) => [attempt.merchantTransactionId, attempt.id, attempt.resultCode]) ?? [];
  const texts = [
    id,
    reference,
    register,
    terminal,
    cashier,
    order,
    amount,
    currency,
    type,
    card?.brand,
    card?.last4,
    gateway?.id,
    authorization?.code,
    reason?.code,
  ];
  return [...texts, ...attempts].filter((text) => text !== undefined).map((text) => text.toLowerCase());
}

/** Open payments first, then newest first; each once, in its latest version. */
export function inOrder(...lists: readonly (readonly PaymentView[])[]): readonly PaymentView[] {
  const byId = new Map<string, PaymentView>();
  for (const payment of lists.flat()) {
    const before = byId.get(payment.id);
    if (before === undefined || before.updatedAt <= payment.updatedAt) byId.set(payment.id, payment);
  }
  const isOver = (payment: PaymentView): number => (payment.state === "FINAL" ? 1 : 0);
  return [...byId.values()].toSorted((a, b) => isOver(a) - isOver(b) || b.createdAt.localeCompare(a.createdAt));
}

const DAY_HOURS = 24;

/** The filter as parameters of `payment.list`. `midnight`: start of today in the browser's time zone. */
export function listParams(
  { period, terminal }: Pick<PaymentFilter, "period" | "terminal">,
  midnight: number,
): Readonly<Record<string, string>> {
  const ago = (days: number): string => new Date(midnight - days * DAY_HOURS * 3_600_000).toISOString();
  const where: Readonly<Record<string, string>> = terminal === "" ? {} : { terminal };
  switch (period) {
    case "any":
      return where;
    case "today":
      return { ...where, from: ago(0) };
    case "yesterday":
      return { ...where, from: ago(1), to: ago(0) };
    case "week":
      return { ...where, from: ago(6) };
  }
}

/** Start of the day of `now`, in the browser's time zone. */
export function midnightOf(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0);
}
