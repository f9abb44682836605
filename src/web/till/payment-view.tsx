import { useEffect, useRef, useState } from "preact/hooks";
import { moneyText } from "../design/money-text.ts";
import { Notice } from "../design/notice.tsx";
import type { Ask, Asked } from "./asked.ts";
import { CancelDialog } from "./cancel-dialog.tsx";
import { FollowUps } from "./follow-up-dialog.tsx";
import { restOf } from "./follow-ups.ts";
import { LinkPicture } from "./link-picture.tsx";
import { type Picture, pictureOf } from "./picture.ts";
import { cancellationText } from "./picture-words.ts";
import { SignatureChoice } from "./signature-choice.tsx";
import type { Standing } from "./standing.ts";
import type { Entry } from "./till-state.ts";
import { useKeys } from "./use-keys.ts";
import type { OpenTill } from "./use-till.ts";
import { Verdict } from "./verdict.tsx";
import { cardText, momentText, titleText } from "./words.ts";

interface PaymentViewProps {
  readonly entry: Entry;
  readonly open: OpenTill;
}

/** One payment in large: state, instruction and actions. */
export function PaymentPanel({ entry, open }: PaymentViewProps) {
  const { desk, client } = open;
  const [isCancelling, setCancelling] = useState(false);
  const picture = pictureOf(entry.standing, entry.title.type, client !== undefined);
  const onward = useOnward(picture);
  useKeys(({ key }) => {
    if (key !== "Escape") return false;
    if (picture.mayCancel) setCancelling(true);
    else if (picture.isOver) desk.putAway(entry);
    return true;
  });
  const payment = entry.standing.is === "known" ? entry.standing.payment : undefined;
  return (
    <section class="payment card" aria-label={titleText(entry.title)}>
      <h1 class="payment-title">{titleText(entry.title)}</h1>
      <Verdict picture={picture} />
      {payment?.outcome === "PARTIALLY_APPROVED" && payment.approvedAmount !== undefined && (
        <p class="part number">
          {moneyText(payment.approvedAmount, payment.currency)} approved, {moneyText(restOf(payment), payment.currency)}{" "}
          not
        </p>
      )}
      {payment?.link !== undefined && picture.look === "link" && <LinkPicture link={payment.link} />}
      {picture.look === "sign" && payment !== undefined && (
        <SignatureChoice payment={payment} onWord={(accepted) => void desk.sign(entry, accepted)} />
      )}
      <Words entry={entry} />
      <div class="row actions">
        {picture.isOver && (
          <button type="button" data-kind="main" ref={onward} onClick={() => desk.putAway(entry)}>
            {entry.standing.is === "not-accepted" ? "Drop it" : "Next customer"}
          </button>
        )}
        {(picture.look === "unknown" || picture.look === "link") && !picture.isOver && (
          <button type="button" onClick={() => desk.putAway(entry)}>
            Serve the next customer
          </button>
        )}
        <Again entry={entry} open={open} />
        {picture.mayCancel && (
          <button type="button" data-kind="danger" onClick={() => setCancelling(true)}>
            Cancel
          </button>
        )}
        {payment !== undefined && picture.isOver && <FollowUps payment={payment} entry={entry} open={open} />}
      </div>
      <Facts entry={entry} />
      {isCancelling && picture.mayCancel && (
        <CancelDialog
          title={titleText(entry.title)}
          onCancel={() => void desk.cancel(entry)}
          onClose={() => setCancelling(false)}
        />
      )}
    </section>
  );
}

/** After the end Enter continues. Before it no button has the focus, so an extra key press answers no question. */
function useOnward(picture: Picture): { current: HTMLButtonElement | null } {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (picture.isOver) button.current?.focus();
  }, [picture.isOver]);
  return button;
}

/**
 * Resends the same call under the same reference, only at a press. It cannot become a second payment, whatever became
 * of the first.
 */
function Again({ entry, open: { desk, client } }: PaymentViewProps) {
  const { standing, asked } = entry;
  const mayRepeat = standing.is === "not-accepted" || (standing.is === "refused" && standing.refusal.mayRepeat);
  const about = asked === undefined ? undefined : aboutOf(asked);
  const inTheWay = standing.is === "refused" ? standing.refusal.inTheWay : undefined;
  return (
    <>
      {mayRepeat && asked !== undefined && (
        <button type="button" disabled={client === undefined} onClick={() => void desk.repeat(asked)}>
          {standing.is === "not-accepted" ? "Send it again" : "Try again"}
        </button>
      )}
      {asked !== undefined && mayTryOnceMore(standing) && (
        <button
          type="button"
          disabled={client === undefined}
          onClick={() => void desk.ask(withoutReference(asked), entry)}
        >
          Try once more
        </button>
      )}
      {standing.is === "refused" && about !== undefined && (
        <button
          type="button"
          disabled={client === undefined}
          onClick={() => {
            desk.putAway(entry);
            void desk.find(about);
          }}
        >
          Back to the payment
        </button>
      )}
      {inTheWay !== undefined && (
        <button type="button" onClick={() => void desk.find({ reference: inTheWay })}>
          Show {inTheWay}
        </button>
      )}
    </>
  );
}

/** The payment whose follow-up was refused. */
function aboutOf(asked: Asked): { readonly id: string } | undefined {
  switch (asked.call) {
    case "payment.capture":
    case "payment.refund":
    case "payment.increment":
    case "payment.void":
      return typeof asked.params.of === "string" ? undefined : asked.params.of;
    case "payment.start":
    case "link.create":
    case "registration.pay":
      return undefined;
  }
}

/** After a clear decline: a new payment under its own reference. */
function mayTryOnceMore(standing: Standing): boolean {
  if (standing.is !== "known" || standing.payment.state !== "FINAL") return false;
  const { decision, reason } = standing.payment;
  return (
    decision === "not-approved" &&
    (reason?.advice === "retry" || reason?.advice === "other-card" || reason?.advice === "use-chip")
  );
}

function withoutReference({ call, params: { reference: _, ...params }, title }: Asked): Ask {
  return { call, params, title };
}

function Words({ entry: { cancellation, trouble, warnings, standing } }: { readonly entry: Entry }) {
  const isOpen = standing.is === "known" && standing.payment.state !== "FINAL";
  return (
    <>
      {cancellation !== undefined && (
        <Notice tone={cancellation === "accepted" ? undefined : "unknown"}>
          {cancellationText(cancellation, standing)}
        </Notice>
      )}
      {trouble !== undefined && <Notice tone="bad">{trouble}</Notice>}
      {isOpen && warnings.length > 0 && (
        <Notice tone="unknown">
          A payment of the same amount is not decided yet. Ask the customer whether this is the same purchase. If it is,
          cancel this one before a card is presented.
          <span class="small"> The bridge says: {warnings.join("; ")}</span>
        </Notice>
      )}
    </>
  );
}

function Facts({ entry: { standing, name, asked } }: { readonly entry: Entry }) {
  const payment = standing.is === "known" ? standing.payment : undefined;
  const money = (amount: string | undefined): string | undefined =>
    amount && payment && moneyText(amount, payment.currency);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["Reference", payment?.reference ?? name],
    ["Card", payment && cardText(payment)],
    ["Tip", money(payment?.tip)],
    ["Captured", money(payment?.capturedAmount)],
    ["Refunded", money(payment?.refundedAmount)],
    ["Approval code", payment?.decision === "not-approved" ? undefined : payment?.authorization?.code],
    ["Terminal", payment?.terminal],
    ["Cashier", payment?.cashier],
    ["Begun", momentText(payment?.createdAt ?? asked?.at ?? "")],
  ];
  return (
    <dl class="facts">
      {facts.map(
        ([label, value]) =>
          value !== undefined &&
          value !== "" && (
            <div key={label}>
              <dt>{label}</dt>
              <dd class="number">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
