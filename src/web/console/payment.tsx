import type { RegisterClient } from "../../client/client.ts";
import { CallRefused } from "../../client/errors.ts";
import { technicianOf } from "../../client/technician.ts";
import type { PaymentView } from "../../payment/view-schema.ts";
import { moneyText } from "../design/money-text.ts";
import { Notice } from "../design/notice.tsx";
import { usePaymentChanges, useSession } from "./console-session.ts";
import { OpenPanel } from "./open-panel.tsx";
import { Badge, Facts, Head, Moment, Scrolling, TroubleNotice, Waiting } from "./parts.tsx";
import { adviceText, cardText, cvmText, standingOf, typeText } from "./payment-words.ts";
import { Receipt } from "./receipt.tsx";
import { hrefOf } from "./route.ts";
import type { Timeline } from "./timeline.tsx";
import { TimelineSection } from "./timeline.tsx";
import { useLoad } from "./use-load.ts";

type Read = Pick<Timeline, "payment" | "open" | "leftOut"> & { readonly steps: Timeline["steps"] | undefined };

/** Older bridges have no timeline but still return the payment. */
async function readPayment(client: RegisterClient, id: string): Promise<Read> {
  try {
    return await technicianOf(client).timeline({ id });
  } catch (error) {
    if (!(error instanceof CallRefused) || error.code !== "unknown-method") throw error;
    return { payment: await client.get({ id }), steps: undefined };
  }
}

export function PaymentDetail({ id }: { readonly id: string }) {
  const { client } = useSession();
  const read = useLoad({ client, read: (to) => readPayment(to, id) });
  usePaymentChanges(read.reload, id);
  const back = ["Payments", hrefOf({ at: "payments" })] as const;
  if (read.value === undefined) {
    return (
      <>
        <Head title="Payment" back={back} />
        <Waiting loaded={read} what="Reading the payment…" />
      </>
    );
  }
  const { payment, steps, open, leftOut } = read.value;
  const { text, tone } = standingOf(payment);
  return (
    <>
      <Head title={`Payment ${payment.reference}`} back={back}>
        {payment.amount !== undefined && (
          <span class="amount number">{moneyText(payment.amount, payment.currency)}</span>
        )}
        <Badge tone={tone}>{text}</Badge>
      </Head>
      <TroubleNotice trouble={read.trouble} />
      {payment.reason !== undefined && <Reason reason={payment.reason} isOpen={payment.state !== "FINAL"} />}
      {open !== undefined && <OpenPanel payment={payment} open={open} onDone={read.reload} />}
      {steps === undefined ? (
        <Notice>This bridge is too old to tell the steps of a payment: update the bridge.</Notice>
      ) : (
        <TimelineSection steps={steps} leftOut={leftOut} />
      )}
      <About payment={payment} />
      <Attempts payment={payment} />
      <Receipt payment={payment} />
    </>
  );
}

function Reason({
  reason: { code, message, advice },
  isOpen,
}: {
  readonly reason: NonNullable<PaymentView["reason"]>;
  readonly isOpen: boolean;
}) {
  return (
    <Notice tone={isOpen ? "unknown" : undefined}>
      {message} {adviceText(advice)} <span class="soft small">({code})</span>
    </Notice>
  );
}

function About({ payment }: { readonly payment: PaymentView }) {
  const {
    id,
    type,
    register,
    terminal,
    cashier,
    order,
    card,
    authorization,
    gateway,
    emv,
    currency,
    createdAt,
    updatedAt,
    of,
    voidedBy,
    capture,
  } = payment;
  const money = (amount: string | undefined) => (amount === undefined ? undefined : moneyText(amount, currency));
  const link = (to: string | undefined) =>
    to === undefined ? undefined : <a href={hrefOf({ at: "payment", id: to })}>{to}</a>;
  return (
    <section class="card stack">
      <h2>What is known of it</h2>
      <Facts
        facts={[
          ["Kind", typeText(type)],
          ["Register", register],
          ["Cashier", cashier],
          ["Order", order],
          ["Terminal", terminal === "" ? undefined : <a href={hrefOf({ at: "terminal", id: terminal })}>{terminal}</a>],
          ["Accepted", <Moment key="at" at={createdAt} />],
          ["Last change", <Moment key="at" at={updatedAt} />],
          ["Approved", money(payment.approvedAmount)],
          ["Captured", money(payment.capturedAmount)],
          ["Refunded", money(payment.refundedAmount)],
          ["Capture", capture],
          ["Card", card === undefined ? undefined : cardText(card)],
          ["Cardholder verification", cvmText(card?.cvm)],
          ["Authorization code", authorization?.code],
          ["Response code", authorization?.responseCode],
          ["RRN", authorization?.rrn],
          ["Gateway id", gateway?.id],
          [
            "Gateway's answer",
            gateway?.resultCode === undefined
              ? undefined
              : `${gateway.resultDescription ?? "no description"} (${gateway.resultCode})`,
          ],
          ["Application", card?.applicationLabel],
          ["AID", emv?.aid],
          ["TVR / TSI", emv === undefined ? undefined : `${emv.tvr ?? "none"} / ${emv.tsi ?? "none"}`],
          ["Cryptogram", emv?.cryptogramType],
          ["Follows payment", link(of)],
          ["Voided by", link(voidedBy)],
          ["Id", id],
        ]}
      />
    </section>
  );
}

/** The bridge's requests for this payment, as the gateway's back office lists them. */
function Attempts({ payment: { gateway, currency } }: { readonly payment: PaymentView }) {
  if (gateway === undefined || gateway.attempts.length === 0) return null;
  return (
    <section class="card stack">
      <h2>Requests to the gateway</h2>
      <Scrolling class="table" name="Requests to the gateway">
        <table>
          <thead>
            <tr>
              <th>Kind</th>
              <th class="number">Amount</th>
              <th>Result code</th>
              <th>merchantTransactionId</th>
              <th>Gateway id</th>
            </tr>
          </thead>
          <tbody>
            {gateway.attempts.map(({ merchantTransactionId, id, paymentType, amount, resultCode }) => (
              <tr key={merchantTransactionId}>
                <td>{requestName(paymentType)}</td>
                <td class="number">{amount === undefined ? "" : moneyText(amount, currency)}</td>
                <td>{resultCode ?? <span class="soft">no answer</span>}</td>
                <td class="mono small">{merchantTransactionId}</td>
                <td class="mono small">{id ?? <span class="soft">not told</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </section>
  );
}

const REQUESTS: Readonly<Record<string, string>> = {
  PA: "Reservation (PA)",
  DB: "Debit (DB)",
  CD: "Credit (CD)",
  CP: "Capture (CP)",
  RV: "Reversal (RV)",
  RF: "Refund (RF)",
  RG: "Registration (RG)",
  DR: "Deletion of a stored card (DR)",
};

function requestName(paymentType: string): string {
  return (Object.hasOwn(REQUESTS, paymentType) ? REQUESTS[paymentType] : undefined) ?? paymentType;
}
