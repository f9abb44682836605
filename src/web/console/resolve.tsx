import { technicianOf } from "../../client/technician.ts";
import type { PaymentView } from "../../payment/view-schema.ts";
import { useStore } from "../bridge/use-store.ts";
import { Dialog } from "../design/dialog.tsx";
import { moneyText } from "../design/money-text.ts";
import { Notice } from "../design/notice.tsx";
import { useSession } from "./console-session.ts";
import { Field, TroubleNotice } from "./parts.tsx";
import {
  EMPTY,
  findingText,
  type Missing,
  meaningOf,
  missingOf,
  paramsOf,
  type Resolution,
  type ResolveAction,
  type ResolveForm,
  resolveForm,
} from "./resolve-form.ts";
import { useAction } from "./use-load.ts";

interface ResolveDialogProps {
  readonly payment: PaymentView;
  readonly choices: readonly Resolution[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Resolves a payment by operator decision, after a confirmation. */
export function ResolveDialog({ payment, choices, onClose, onDone }: ResolveDialogProps) {
  const { client, open } = useSession();
  const [form, { now, tell: act }] = useStore(resolveForm, () => EMPTY);
  const sent = useAction<string>();
  const send = (): void => {
    const params = paramsOf(now());
    if (client === undefined || params === undefined || now().step !== "confirming") return;
    act({ is: "send" });
    sent.run(async () => {
      try {
        const { gateway } = await technicianOf(client).resolve({ id: payment.id, ...params });
        open.reload();
        onDone();
        return findingText(gateway, params.as);
      } catch (error) {
        act({ is: "refused" });
        throw error;
      }
    });
  };
  const money = payment.amount === undefined ? "" : ` over ${moneyText(payment.amount, payment.currency)}`;
  return (
    <Dialog title={`Resolve payment ${payment.reference}`} onClose={onClose}>
      <p>
        Payment {payment.reference} of register {payment.register}
        {money}. Look into the gateway's back office first. The gateway is asked once more before your word counts; it
        is kept for ever, with your register's name, the time and your reason.
      </p>
      <TroubleNotice trouble={sent.trouble} />
      {sent.done !== undefined ? (
        <>
          <Notice tone="good">Your word is kept. {sent.done}</Notice>
          <div class="row">
            <button type="button" data-kind="main" onClick={onClose}>
              Done
            </button>
          </div>
        </>
      ) : form.step === "filling" ? (
        <Filling payment={payment} choices={choices} form={form} act={act} />
      ) : (
        <Confirming payment={payment} form={form} act={act} send={send} isOffline={client === undefined} />
      )}
    </Dialog>
  );
}

interface StepProps {
  readonly payment: PaymentView;
  readonly form: ResolveForm;
  readonly act: (action: ResolveAction) => void;
}

function Filling({ payment, choices, form, act }: StepProps & Pick<ResolveDialogProps, "choices">) {
  const missing: Missing = form.isTried ? missingOf(form) : {};
  const submit = (event: Event): void => {
    event.preventDefault();
    act({ is: "go-on" });
  };
  return (
    <form class="stack" onSubmit={submit} noValidate>
      <fieldset>
        <legend>What does the back office show?</legend>
        {choices.map((as) => (
          <label key={as} class="check">
            <input type="radio" name="as" checked={form.as === as} onChange={() => act({ is: "chosen", as })} />
            <span>
              <strong>{as}</strong>: {meaningOf(as, payment)}
            </span>
          </label>
        ))}
        {missing.as !== undefined && <p class="problem">{missing.as}</p>}
      </fieldset>
      {form.as === "approved" && (
        <Field
          label="The gateway's id of the booking"
          value={form.gatewayId}
          onText={(text) => act({ is: "gateway-id", text })}
          problem={missing.gatewayId}
        />
      )}
      <label>
        Reason
        <textarea
          value={form.reason}
          aria-invalid={missing.reason !== undefined}
          onInput={({ currentTarget }) => act({ is: "reason", text: currentTarget.value })}
        />
        {missing.reason === undefined ? (
          <span class="hint">Such as: not in the back office, looked up on 3 February</span>
        ) : (
          <span class="problem">{missing.reason}</span>
        )}
      </label>
      <div class="row">
        <button type="submit" data-kind="main">
          Go on
        </button>
      </div>
    </form>
  );
}

function Confirming({
  payment,
  form,
  act,
  send,
  isOffline,
}: StepProps & { readonly send: () => void; readonly isOffline: boolean }) {
  const { as } = form;
  if (as === undefined) return null;
  const isSending = form.step === "sending";
  return (
    <div class="stack">
      <Notice tone="unknown">
        <strong>Are you sure?</strong> You say: {as}. {meaningOf(as, payment)} This cannot be taken back.
      </Notice>
      <div class="row">
        <button type="button" data-kind="danger" disabled={isSending || isOffline} onClick={send}>
          {isSending ? "Asking the gateway once more…" : `Close it as ${as}`}
        </button>
        <button type="button" disabled={isSending} onClick={() => act({ is: "back" })}>
          Back
        </button>
      </div>
    </div>
  );
}
