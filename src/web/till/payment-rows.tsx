import type { PaymentView } from "../../payment/view-schema.ts";
import { moneyText } from "../design/money-text.ts";
import type { Tone } from "../design/tone.ts";
import { type Look, pictureOf } from "./picture.ts";
import { cardText, nameOfType, timeText } from "./words.ts";

export function toneOf(look: Look): Tone | undefined {
  switch (look) {
    case "good":
    case "part":
      return "good";
    case "bad":
      return "bad";
    case "unknown":
      return "unknown";
    case "busy":
    case "prompt":
    case "sign":
    case "link":
    case "stopped":
    case "over":
      return undefined;
  }
}

interface PaymentRowsProps {
  readonly payments: readonly PaymentView[];
  readonly isConnected: boolean;
  readonly timeOf?: (iso: string) => string;
  readonly onOpen: (payment: PaymentView) => void;
}

/** A list of payments that can be opened. */
export function PaymentRows({ payments, isConnected, timeOf = timeText, onOpen }: PaymentRowsProps) {
  return (
    <ul class="payments">
      {payments.map((payment) => {
        const { look, title } = pictureOf({ is: "known", payment }, payment.type, isConnected);
        return (
          <li key={payment.id}>
            <button type="button" class="payment-row" onClick={() => onOpen(payment)}>
              <span class="payment-row-what">
                <span>{nameOfType(payment.type)}</span>
                <span class="soft small">
                  {[timeOf(payment.createdAt), cardText(payment), payment.reference]
                    .filter((text) => text !== undefined)
                    .join(" · ")}
                </span>
              </span>
              <span class="payment-row-how">
                <span class="number">
                  {payment.amount === undefined ? "" : moneyText(payment.amount, payment.currency)}
                </span>
                <span class="badge" data-tone={toneOf(look)}>
                  {look === "prompt" ? "At the terminal" : title}
                </span>
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
