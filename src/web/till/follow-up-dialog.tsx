import { useState } from "preact/hooks";
import type { RegisterClient } from "../../client/client.ts";
import type { PaymentView } from "../../payment/view-schema.ts";
import { useStore } from "../bridge/use-store.ts";
import { Dialog } from "../design/dialog.tsx";
import { moneyText } from "../design/money-text.ts";
import { amountTyped } from "./amount-pad.ts";
import { amountOf, type FollowUpEvent, type FollowUpForm, nextFollowUpForm } from "./follow-up-form.ts";
import { askFor, type FollowUp, followUpsOf } from "./follow-ups.ts";
import type { Entry } from "./till-state.ts";
import { useLeft } from "./use-left.ts";
import type { OpenTill } from "./use-till.ts";
import { titleOf, titleText } from "./words.ts";

interface FollowUpsProps {
  readonly payment: PaymentView;
  /** The payment is finished for the cashier: its follow-up takes its place. */
  readonly entry: Entry;
  readonly open: OpenTill;
}

/** Buttons of possible follow-ups, each with a confirmation. */
export function FollowUps({ payment, entry, open }: FollowUpsProps) {
  const [asked, setAsked] = useState<FollowUp>();
  const send = (followUp: FollowUp, amount: string | undefined): void => {
    setAsked(undefined);
    void open.desk.ask(askFor(payment, followUp, amount, open.settingsNow().cashier), entry);
  };
  return (
    <>
      {followUpsOf(payment).map((followUp) => (
        <button
          key={followUp.call}
          type="button"
          disabled={open.client === undefined}
          onClick={() => setAsked(followUp)}
        >
          {followUp.label}
        </button>
      ))}
      {asked !== undefined && (
        <FollowUpDialog
          payment={payment}
          followUp={asked}
          client={open.client}
          onSend={(amount) => send(asked, amount)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

interface FollowUpDialogProps {
  readonly payment: PaymentView;
  readonly followUp: FollowUp;
  readonly client: RegisterClient | undefined;
  readonly onSend: (amount: string | undefined) => void;
  readonly onClose: () => void;
}

function FollowUpDialog({ payment, followUp, client, onSend, onClose }: FollowUpDialogProps) {
  const { currency } = payment;
  const { label, question, amount } = followUp;
  const first: FollowUpForm = { digits: "", problem: undefined, isSent: false, left: followUp.left };
  const [form, { now, tell }] = useStore(nextFollowUpForm(amount, currency), () => first);
  useLeft(client, payment, followUp, (left) => tell({ is: "left", left }));
  const submit = (event: Event): void => {
    event.preventDefault();
    if (now().isSent) return;
    tell({ is: "press" });
    if (now().isSent) onSend(amountOf(now(), currency));
  };
  return (
    <Dialog title={label} onClose={onClose}>
      <form method="dialog" class="stack" onSubmit={submit}>
        <p>
          {titleText(titleOf(payment))}, reference <code>{payment.reference}</code>. {question}
        </p>
        {amount !== "none" && <AmountField form={form} followUp={followUp} currency={currency} tell={tell} />}
        <div class="row">
          <button type="submit" data-kind="main" autofocus={amount === "none"}>
            {[label, amount !== "none" && chosenText(form, followUp, currency)].filter(Boolean).join(" ")}
          </button>
          <button type="button" onClick={onClose}>
            Do nothing
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function chosenText({ digits, left }: FollowUpForm, { amount }: FollowUp, currency: string): string {
  if (digits !== "") return moneyText(amountTyped(digits, currency), currency);
  if (amount === "needed") return "";
  return left === undefined ? "all that is left" : moneyText(left, currency);
}

interface AmountFieldProps {
  readonly form: FollowUpForm;
  readonly followUp: FollowUp;
  readonly currency: string;
  readonly tell: (event: FollowUpEvent) => void;
}

/** Typed as on the pad: 1 2 3 4 are 12.34. */
function AmountField({ form: { digits, left, problem }, followUp, currency, tell }: AmountFieldProps) {
  const rest = left === undefined ? "" : ` ${moneyText(left, currency)} is left.`;
  const hint = followUp.amount === "needed" ? "Type what is added." : `${followUp.hint ?? ""}${rest}`;
  return (
    <label>
      Amount
      <input
        class="number"
        inputMode="numeric"
        autocomplete="off"
        autofocus
        aria-invalid={problem !== undefined}
        value={digits === "" ? "" : amountTyped(digits, currency)}
        onInput={({ currentTarget }) => tell({ is: "typed", text: currentTarget.value })}
      />
      {problem === undefined ? (
        <span class="hint">{hint}</span>
      ) : (
        <span class="problem" role="alert">
          {problem}
        </span>
      )}
    </label>
  );
}
