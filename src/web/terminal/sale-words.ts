import type { PaymentView } from "../../payment/view-schema.ts";
import { moneyText } from "../design/money-text.ts";

/** The register's view of a payment, in few words. */
export interface SaleWords {
  readonly tone: "good" | "bad" | "unknown" | undefined;
  readonly title: string;
  readonly text: string;
}

export function saleWords({
  state,
  decision,
  outcome,
  prompt,
  reason,
  amount,
  currency,
  approvedAmount,
}: PaymentView): SaleWords {
  const money = amount === undefined ? "No amount" : moneyText(amount, currency);
  const why = reason === undefined ? "" : reason.message;
  if (state === "FINAL") {
    switch (outcome) {
      case "APPROVED":
        return { tone: "good", title: "Approved", text: money };
      case "PARTIALLY_APPROVED":
        return {
          tone: "good",
          title: "Approved in part",
          text: approvedAmount === undefined ? money : `${moneyText(approvedAmount, currency)} of ${money}`,
        };
      case "DECLINED":
        return { tone: "bad", title: "Declined", text: `${money}. ${why}` };
      case "CANCELLED":
        return { tone: "bad", title: "Cancelled", text: `${money}. ${why}` };
      case "FAILED":
      case undefined:
        return { tone: "bad", title: "Failed", text: `${money}. No money moved. ${why}` };
    }
  }
  if (decision === "approved") return { tone: "good", title: "Approved", text: `${money}. ${prompt?.text ?? ""}` };
  if (state === "RESOLVING")
    return { tone: "unknown", title: "Nobody knows yet", text: `${money}. The bridge is asking the gateway. ${why}` };
  if (state === "REVERSING") return { tone: "unknown", title: "Being reversed", text: `${money}. ${why}` };
  if (decision === "not-approved")
    return { tone: "bad", title: "Not approved", text: `${money}. ${prompt?.text ?? why}` };
  return { tone: undefined, title: prompt?.text ?? "Starting", text: money };
}

/** The later of two views: of a payment created later, or of the same payment. */
export function laterOf(before: PaymentView | undefined, now: PaymentView): PaymentView {
  if (before === undefined || now.id === before.id) return now;
  return now.createdAt >= before.createdAt ? now : before;
}
