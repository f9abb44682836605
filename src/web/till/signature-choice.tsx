import { isoTime } from "../../kit/clock.ts";
import type { PaymentView } from "../../payment/view-schema.ts";
import { timeText } from "./words.ts";

/** The bridge reverses the sale if nobody judges the signature in this time. */
const SIGNATURE_MS = 300_000;

/** The cashier's decision on the signature. No button has the initial focus. */
export function SignatureChoice({
  payment,
  onWord,
}: {
  readonly payment: PaymentView;
  readonly onWord: (accepted: boolean) => void;
}) {
  return (
    <div class="signature">
      <p>
        Print the merchant's receipt and have it signed. Without a word by{" "}
        <strong>{timeText(isoTime(Date.parse(payment.updatedAt) + SIGNATURE_MS))}</strong> (five minutes) the sale is
        taken back.
      </p>
      <div class="row">
        <button type="button" data-kind="main" onClick={() => onWord(true)}>
          The signature matches
        </button>
        <button type="button" data-kind="danger" onClick={() => onWord(false)}>
          It does not match
        </button>
      </div>
    </div>
  );
}
