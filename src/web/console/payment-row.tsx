import type { PaymentView } from "../../payment/view-schema.ts";
import { moneyText } from "../design/money-text.ts";
import { Dot, Moment } from "./parts.tsx";
import { standingOf } from "./payment-words.ts";
import { hrefOf } from "./route.ts";

export function PaymentRow({ payment }: { readonly payment: PaymentView }) {
  const { text, tone } = standingOf(payment);
  const { id, reference, amount, currency, createdAt } = payment;
  return (
    <li>
      <Dot tone={tone} />
      <span class="two">
        <a href={hrefOf({ at: "payment", id })}>{reference}</a>
        <span class="soft small">
          <Moment at={createdAt} /> · {text}
        </span>
      </span>
      <span class="number end">{amount === undefined ? "" : moneyText(amount, currency)}</span>
    </li>
  );
}
