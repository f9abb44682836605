import { technicianOf } from "../../client/technician.ts";
import type { PaymentView } from "../../payment/view-schema.ts";
import { moneyText } from "../design/money-text.ts";
import { usePaymentChanges, useSession } from "./console-session.ts";
import { OpenPanel } from "./open-panel.tsx";
import { Badge, Head, Moment, TroubleNotice, Waiting } from "./parts.tsx";
import { standingOf, typeText } from "./payment-words.ts";
import { hrefOf } from "./route.ts";
import { useLoad } from "./use-load.ts";

/** All open payments with their next steps. */
export function OpenPaymentsView() {
  const { open } = useSession();
  return (
    <>
      <Head title="Open payments" />
      <Waiting loaded={open} what="Reading the open payments…" />
      {open.value !== undefined && <TroubleNotice trouble={open.trouble} />}
      {open.value?.length === 0 && <p class="card">No payment is open. Nothing waits for an answer.</p>}
      {open.value?.map((payment) => (
        <OpenPayment key={payment.id} payment={payment} />
      ))}
    </>
  );
}

/** The next step may change without a change of the payment: an unanswered query postpones the next one. */
const AGAIN_MS = 15_000;

function OpenPayment({ payment }: { readonly payment: PaymentView }) {
  const { client, open: list } = useSession();
  const { id, reference, type, amount, currency, register, createdAt } = payment;
  const timeline = useLoad({ client, read: (to) => technicianOf(to).timeline({ id }), everyMs: AGAIN_MS });
  usePaymentChanges(timeline.reload, id);
  const { text, tone } = standingOf(timeline.value?.payment ?? payment);
  const open = timeline.value?.open;
  return (
    <article class="card stack">
      <div class="row">
        <h2>
          <a href={hrefOf({ at: "payment", id })}>{reference}</a>
        </h2>
        {amount !== undefined && <span class="amount number">{moneyText(amount, currency)}</span>}
        <Badge tone={tone}>{text}</Badge>
      </div>
      <p class="soft small">
        {typeText(type)} of register {register}, accepted <Moment at={createdAt} />
      </p>
      <Waiting loaded={timeline} what="Finding out why it is open…" />
      {open !== undefined && (
        <OpenPanel
          payment={payment}
          open={open}
          onDone={() => {
            timeline.reload();
            list.reload();
          }}
        />
      )}
    </article>
  );
}
