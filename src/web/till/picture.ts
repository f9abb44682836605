import type { PaymentType, PaymentView } from "../../payment/view-schema.ts";
import { adviceText, DONE, REFUSED } from "./picture-words.ts";
import type { Known, Standing } from "./standing.ts";

/**
 * The state as seen from two metres. `unknown`: neither approved nor declined. `stopped`: never begun, without any
 * decision by a card.
 */
export type Look = "busy" | "prompt" | "sign" | "link" | "good" | "part" | "bad" | "stopped" | "over" | "unknown";

export interface Picture {
  readonly look: Look;
  readonly title: string;
  readonly text: string;
  /** The next automatic step. */
  readonly next?: string;
  /** The goods or service may be handed over. */
  readonly isPaid: boolean;
  readonly mayCancel: boolean;
  /** Finished: the cashier continues. */
  readonly isOver: boolean;
}

const UNKNOWN_TITLE = "Not known yet";

/** Actions to avoid while the outcome is unknown. */
function unknownText(type: PaymentType): string {
  switch (type) {
    case "SALE":
    case "PREAUTHORIZATION":
      return "Do not sell again, do not hand over.";
    case "REFUND":
    case "LINKED_REFUND":
    case "VOID":
      return "Do not give it back again, not in cash either.";
    case "REGISTRATION":
    case "CAPTURE":
    case "INCREMENT":
      return "Do not do it again.";
  }
}

const UNKNOWN = { look: "unknown", title: UNKNOWN_TITLE, isPaid: false, mayCancel: false, isOver: false } as const;

/** The view of a payment. `isConnected`: the page's data is current. */
export function pictureOf(standing: Standing, type: PaymentType, isConnected: boolean): Picture {
  switch (standing.is) {
    case "sending":
    case "unheard":
      return standing.is === "sending" && isConnected
        ? busy("Sending…", "The bridge is being told.", false)
        : unheard(type, isConnected);
    case "known":
      return isConnected || standing.payment.state === "FINAL"
        ? pictureOfPayment(standing)
        : unheard(type, false, "It goes on without this page.");
    case "not-accepted":
      return over(
        "Never begun",
        "The bridge has not got it: no card was asked for, and nothing is charged.",
        "Send it again, or drop it.",
      );
    case "elsewhere":
      return {
        ...UNKNOWN,
        text: "This bridge does not have it: it was sent to another one, under another register's name, or before this bridge's data was put back. Nobody here knows how it ended.",
        next: "Ask the technician to look it up at the gateway before it is sold again.",
        isOver: true,
      };
    case "refused":
      return {
        look: "stopped",
        title: standing.refusal.title,
        text: standing.refusal.todo,
        next: standing.refusal.text,
        isPaid: false,
        mayCancel: false,
        isOver: true,
      };
  }
}

function busy(title: string, text: string, mayCancel: boolean): Picture {
  return { look: "busy", title, text, isPaid: false, mayCancel, isOver: false };
}

function over(title: string, text: string, next: string): Picture {
  return { look: "over", title, text, next, isPaid: false, mayCancel: false, isOver: true };
}

function unheard(type: PaymentType, isConnected: boolean, goesOn = "It may have begun."): Picture {
  const next = isConnected
    ? "The bridge is being asked how it stands."
    : `The connection to the bridge is lost. ${goesOn} As soon as the bridge is back, this page asks it how it stands.`;
  return { ...UNKNOWN, text: unknownText(type), next };
}

function pictureOfPayment(known: Known): Picture {
  const { payment } = known;
  switch (payment.decision) {
    case "approved":
      return approved(payment);
    case "not-approved":
      return payment.state === "FINAL" || payment.reason?.advice !== "wait" ? refused(payment) : takenBack(payment);
    case undefined:
      return undecided(known);
  }
}

function approved(payment: PaymentView): Picture {
  if (payment.voidedBy !== undefined)
    return over("Taken back", "This payment was voided: nothing of it is charged.", "");
  const isPart = payment.outcome === "PARTIALLY_APPROVED";
  const { title, text } = DONE[payment.type];
  return {
    look: isPart ? "part" : "good",
    title: isPart ? "A part only" : title,
    text: isPart ? "This is not the whole amount." : text,
    next: isPart ? "Take the rest by another payment, or take this one back." : nextOfApproved(payment),
    isPaid: payment.type === "SALE" && !isPart,
    mayCancel: false,
    isOver: true,
  };
}

function nextOfApproved({ prompt, capture }: PaymentView): string {
  if (capture === "failed") return "The customer has paid, but the money could not be collected. Call the technician.";
  return prompt?.removeCard === true ? "The card is still in the terminal: ask the customer to take it out." : "";
}

function refused(payment: PaymentView): Picture {
  const { outcome, reason, type, held, lateBooking } = payment;
  const notes = [
    reason && adviceText(reason.advice),
    held === true ? "The bank keeps the amount reserved for some days all the same. Nothing was taken." : undefined,
    lateBooking === true ? "A booking turned up later. It is being taken back, or was." : undefined,
    payment.prompt?.removeCard === true
      ? "The card is still in the terminal: ask the customer to take it out."
      : undefined,
  ];
  return {
    look: "bad",
    title:
      outcome === undefined ? "Not approved" : type === "SALE" || outcome !== "FAILED" ? REFUSED[outcome] : "Not done",
    text: reason?.message ?? "No reason was given.",
    next: notes.filter((note) => note !== undefined).join(" "),
    isPaid: false,
    mayCancel: false,
    isOver: true,
  };
}

/** Not approved, but the gateway may hold money: unlike a decline, do not sell again yet. */
function takenBack(payment: PaymentView): Picture {
  if (payment.state !== "RESOLVING" && payment.state !== "REVERSING")
    return busy("Ending it…", payment.reason?.message ?? "", false);
  return {
    ...UNKNOWN,
    title: "Being taken back",
    text: `${payment.reason?.message ?? ""} Do not charge the same again, do not hand over.`.trim(),
    next: "The bridge takes back by itself whatever the gateway holds. This page says when it is through. You may serve the next customer.",
  };
}

function undecided(known: Known): Picture {
  const { payment } = known;
  const { state, prompt, reason } = payment;
  if (known.isSlow && isBankAsked(payment)) return slow(payment.type);
  switch (state) {
    case "CREATED":
      return busy(payment.terminal === "" ? "One moment…" : "The terminal gets ready…", reason?.message ?? "", true);
    case "QUEUED":
      return busy(
        "Waiting for the terminal",
        "Another payment, or its card, is still at the terminal. This one begins as soon as it is free.",
        true,
      );
    case "AWAITING_CARD":
    case "AUTHORIZING":
      if (payment.link !== undefined)
        return {
          look: "link",
          title: "Scan to pay",
          text: "The customer pays on his own phone.",
          isPaid: false,
          mayCancel: true,
          isOver: false,
        };
      return prompted(known, state === "AUTHORIZING" ? "The bank is asked…" : "One moment…");
    case "COMPLETING":
      if (prompt?.code === "SIGN")
        return {
          look: "sign",
          title: "The customer signs",
          text: "Compare the signature with the card.",
          isPaid: false,
          mayCancel: true,
          isOver: false,
        };
      return prompted(known, "One moment…");
    case "RESOLVING":
    case "REVERSING":
    case "FINAL":
      return {
        ...UNKNOWN,
        text: unknownText(payment.type),
        next: `${reason?.message ?? "The gateway has not said how it ended."} The bridge goes on asking by itself, and this page tells you as soon as it is known. You may serve the next customer.`,
      };
  }
}

/** The card waits for its issuer; nobody has to act. */
export function isBankAsked({ state, decision, link, prompt }: PaymentView): boolean {
  return (
    state === "AUTHORIZING" &&
    decision === undefined &&
    link === undefined &&
    (prompt === undefined || prompt.code === "PROCESSING")
  );
}

function slow(type: PaymentType): Picture {
  return {
    ...UNKNOWN,
    title: "No answer yet",
    text: unknownText(type),
    next: "The bank has not answered yet: it takes longer than usual. The bridge finds out by itself how it ends, and this page tells you as soon as it is known.",
    mayCancel: true,
  };
}

function prompted({ payment: { prompt, terminal }, wasPinWrong }: Known, otherwise: string): Picture {
  if (prompt === undefined || terminal === "") return busy(otherwise, "", true);
  const text = wasPinWrong ? "The PIN was wrong. The customer types it again." : "On the terminal";
  return { look: "prompt", title: prompt.text, text, isPaid: false, mayCancel: true, isOver: false };
}
