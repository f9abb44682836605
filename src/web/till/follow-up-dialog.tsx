import { useState } from "preact/hooks";
import type { PaymentView } from "../../payment/public.ts";
import { Dialog } from "../design/dialog.tsx";
import { amountTyped, padKeyOf, typed } from "./amount-pad.ts";
import { askFor, type FollowUp, followUpsOf } from "./follow-ups.ts";
import type { OpenTill } from "./use-till.ts";
import { moneyText, titleOf, titleText } from "./words.ts";

interface FollowUpsProps {
  readonly payment: PaymentView;
  /** The payment was seen: the one that follows takes its place. */
  readonly onSent: () => void;
  readonly open: OpenTill;
}

/** The buttons of what may follow, each with its question. */
export function FollowUps({ payment, open, onSent }: FollowUpsProps) {
  const [asked, setAsked] = useState<FollowUp>();
  const send = (followUp: FollowUp, amount: string | undefined): void => {
    setAsked(undefined);
    onSent();
    void open.desk.ask(askFor(payment, followUp, amount, open.settings.cashier));
  };
  return (
    <>
      {followUpsOf(payment).map((followUp) => (
        <button key={followUp.call} type="button" disabled={open.client === undefined} onClick={() => setAsked(followUp)}>
          {followUp.label}
        </button>
      ))}
      {asked !== undefined && (
        <FollowUpDialog payment={payment} followUp={asked} onSend={(amount) => send(asked, amount)} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

interface FollowUpDialogProps {
  readonly payment: PaymentView;
  readonly followUp: FollowUp;
  readonly onSend: (amount: string | undefined) => void;
  readonly onClose: () => void;
}

function FollowUpDialog({ payment, followUp, onSend, onClose }: FollowUpDialogProps) {
  const { currency } = payment;
  const { label, question, amount, left } = followUp;
  const [digits, setDigits] = useState("");
  const isReady = amount !== "needed" || digits !== "";
  const all = left === undefined ? "all that is left" : moneyText(left, currency);
  const chosen = digits === "" ? all : moneyText(amountTyped(digits, currency), currency);
  return (
    <Dialog title={label} onClose={onClose}>
      <form
        method="dialog"
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) onSend(digits === "" ? undefined : amountTyped(digits, currency));
        }}
      >
        <p>
          {titleText(titleOf(payment))}, reference <code>{payment.reference}</code>. {question}
        </p>
        {amount !== "none" && (
          <AmountField digits={digits} currency={currency} hint={amount === "needed" ? "Type what is added." : `Empty: ${all}.`} onDigits={setDigits} />
        )}
        <div class="row">
          <button type="submit" data-kind="main" disabled={!isReady} autofocus={amount === "none"}>
            {amount === "none" ? label : `${label} ${digits === "" && amount === "needed" ? "" : chosen}`}
          </button>
          <button type="button" onClick={onClose}>
            Do nothing
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface AmountFieldProps {
  readonly digits: string;
  readonly currency: string;
  readonly hint: string;
  readonly onDigits: (digits: string) => void;
}

/** Typed as on the pad: 1 2 3 4 are 12.34. */
function AmountField({ digits, currency, hint, onDigits }: AmountFieldProps) {
  const onInput = (text: string): void => {
    const keys = [...text].flatMap((letter) => (/[0-9]/.test(letter) ? (padKeyOf(letter) ?? []) : []));
    onDigits(keys.reduce((so, key) => typed(so, key, currency), ""));
  };
  return (
    <label>
      Amount
      <input
        class="number"
        inputMode="numeric"
        autocomplete="off"
        autofocus
        value={digits === "" ? "" : amountTyped(digits, currency)}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <span class="hint">{hint}</span>
    </label>
  );
}
