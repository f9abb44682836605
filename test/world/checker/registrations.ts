import { approves, moves } from "./books.ts";
import type { Evidence, Row } from "./evidence.ts";
import type { Rule } from "./rule.ts";

/** Cards that the gateway keeps for this payment: stored by an RG, or besides a booking, and not deleted since. */
function keptCards(rows: readonly Row[]): readonly { readonly id: string; readonly by: Row }[] {
  return rows
    .filter(approves)
    .flatMap((by) =>
      by.type === "RG" ? [{ id: by.id, by }] : by.registration === undefined ? [] : [{ id: by.registration, by }],
    )
    .filter(({ id }) => !rows.some((row) => row.type === "DR" && row.of === id && moves(row)));
}

/** Whether the gateway keeps that card for any of these payments. */
export function isCardKept(id: string, rows: readonly Row[]): boolean {
  return keptCards(rows).some((card) => card.id === id);
}

function problemOf({ rows, told, mayLoseCard }: Evidence): string | undefined {
  const kept = keptCards(rows);
  if (told?.decision === "approved" && mayLoseCard && kept.length === 0) return undefined;
  if (told?.decision !== "approved")
    return kept.length > 0 ? `${told?.outcome ?? "never accepted"} with the card ${kept[0]?.id} kept` : undefined;
  if (told.state !== "FINAL" || told.registrationId === kept[0]?.id)
    return kept.length > 1 ? `${kept.length} cards are kept` : undefined;
  return `told the registration ${told.registrationId ?? "none"}, and the gateway keeps ${kept[0]?.id ?? "none"}`;
}

/** A card that was stored besides a payment is named where the payment is approved, and gone where it is not. */
export const registrationsGoWithTheirPayment: Rule = {
  rule: "registrations-go-with-their-payment",
  broken: (evidence) => (evidence.asked.createRegistration === true ? problemOf(evidence) : undefined),
};

export const registrationStands: Rule = {
  rule: "registration-stands",
  broken: (evidence) => (evidence.told?.decision === "approved" ? problemOf(evidence) : undefined),
};

export const registrationIsGone: Rule = { rule: "registration-is-gone", broken: problemOf };
