import { approves, IN_PART, moves, sentAt, standings, UNKNOWN_WINDOW_MS, wasHiddenForTheWindow } from "./books.ts";
import type { Evidence } from "./evidence.ts";
import { registrationsGoWithTheirPayment } from "./registrations.ts";
import type { Rule } from "./rule.ts";

export const money = (minor: number): string => (minor / 100).toFixed(2);
const all = (texts: readonly string[]): string | undefined => (texts.length === 0 ? undefined : texts.join("; "));

/** Truth 1: never more than one net booking, never above the amount. */
export const oneBooking: Rule = {
  rule: "one-booking",
  broken: ({ rows }) => {
    const left = standings(rows).filter(({ net }) => net > 0);
    return left.length > 1
      ? `${left.length} net bookings: ${left.map(({ root, net }) => `${root.type} ${money(net)}`).join(", ")}`
      : undefined;
  },
};

export const neverAbove: Rule = {
  rule: "never-above-amount",
  broken: ({ asked, rows }) => {
    const found = standings(rows);
    const taken = found.reduce((total, { captured }) => total + captured, 0);
    return all([
      ...found
        .filter(({ net }) => net > asked.amount)
        .map(({ net }) => `booked ${money(net)} for ${money(asked.amount)}`),
      ...found.filter(({ net }) => net < 0).map(({ net }) => `gave back ${money(-net)} more than was booked`),
      ...(taken > asked.amount ? [`captured ${money(taken)} for ${money(asked.amount)}`] : []),
    ]);
  },
};

/** Truth 2, the gateway's side. */
export const approvedIsBooked: Rule = {
  rule: "approved-is-booked",
  broken: ({ asked, rows, told, decision }) => {
    if (decision?.says !== "approved") return undefined;
    const [booking, ...more] = standings(rows).filter(({ net }) => net > 0);
    if (booking === undefined || more.length > 0)
      return `approved with ${more.length + (booking === undefined ? 0 : 1)} net bookings`;
    if (!approves(booking.root)) return `approved on a booking with ${booking.root.code}`;
    const said = told?.approvedAmount ?? asked.amount;
    if (booking.net !== said) return `approved ${money(said)} with ${money(booking.net)} booked`;
    // What was given to a customer is not taken back for being too little.
    if (said !== asked.amount && !asked.allowPartialApproval && asked.does !== "REFUND")
      return `approved ${money(said)} of ${money(asked.amount)}, and partial approval was not allowed`;
    const whole = told?.outcome === "APPROVED";
    return told?.outcome !== undefined && whole !== (said === asked.amount)
      ? `${told.outcome} with ${money(said)} of ${money(asked.amount)}`
      : undefined;
  },
};

/** Truth 2, the terminal's side: a contact chip's own word. */
const approvedByTheCard: Rule = {
  rule: "approved-by-the-card",
  broken: ({ asked, words, told, decision }) => {
    // Of other cards the last word is the terminal's acknowledgement, which is not seen from here.
    if (decision?.says !== "approved" || told?.entryMode !== "ICC") return undefined;
    const last = words.at(-1);
    if (last?.type !== "TC") return `approved, and the card's last word is ${last?.type ?? "nothing"}`;
    if (last.terminal !== asked.terminal) return `approved by a card in ${last.terminal}`;
    return told?.cryptogram !== undefined && told.cryptogram !== last.cryptogram
      ? `approved with the cryptogram ${told.cryptogram}, and the card made ${last.cryptogram}`
      : undefined;
  },
};

/** Truth 2, the cardholder's side: where the card wants his signature, somebody has compared it. */
export const approvedBySignature: Rule = {
  rule: "approved-by-signature",
  broken: ({ told, decision, isSigned }) =>
    decision?.says === "approved" && told?.cvm === "signature" && !isSigned
      ? "approved, and nobody has accepted the signature"
      : undefined,
};

/** A cancel that counts is the end: an approval that arrives meanwhile is reversed (contract, Payment). */
export const calledOffIsNotApproved: Rule = {
  rule: "called-off-is-not-approved",
  broken: ({ decision, isCalledOff }) =>
    isCalledOff && decision?.says === "approved"
      ? "approved, and its register was told that it is cancelled"
      : undefined,
};

export const capturedIsCaptured: Rule = {
  rule: "captured-is-captured",
  broken: ({ asked, rows, told, decision, posts }) => {
    const taken = standings(rows).reduce((total, { root, captured }) => total + (root.type === "PA" ? captured : 0), 0);
    if (taken > 0 && decision?.says === "not-approved")
      return `captured ${money(taken)} of a payment that is not approved`;
    // The rest of a capture in part may have been captured by hand, before that is told.
    const byHand = rows
      .filter((row) => row.type === "CP" && row.request === undefined && moves(row))
      .reduce((total, { amount }) => total + amount, 0);
    const said = told?.capturedAmount ?? told?.approvedAmount ?? asked.amount;
    if (told?.capture === "captured" && taken !== said && taken !== said + byHand)
      return `told captured ${money(said)} with ${money(taken)} captured`;
    const refusals = posts.some(
      ({ type, answer }) => type === "CP" && answer?.is === "code" && !/^000\./.test(answer.code),
    );
    const wasRefused = refusals || rows.some((row) => row.type === "CP" && !moves(row));
    return told?.capture === "failed" && !wasRefused && taken === 0
      ? "told that the capture failed, and no capture was refused"
      : undefined;
  },
};

/**
 * Truths 3 and 4: nothing is left of what ended without an approval, unless nobody could have seen it for the whole
 * window.
 */
export const notApprovedIsClear: Rule = {
  rule: "not-approved-is-clear",
  broken: ({ rows, posts, final }) => {
    if (final === undefined || final.told.decision !== "not-approved") return undefined;
    // What came by a second browser is seen once no such page is open any more, and is gone in the end.
    const left = standings(rows).find(({ net, root }) => net > 0 && root.isSecond !== true);
    if (left === undefined) return undefined;
    if (wasHiddenForTheWindow(left.root, posts) && final.at - sentAt(left.root, posts) >= UNKNOWN_WINDOW_MS)
      return undefined;
    return `${final.told.outcome} (${final.told.reason ?? "no reason"}) with ${money(left.net)} booked by ${left.root.type} ${left.root.id}`;
  },
};

/** FINAL comes with an outcome and its decision, and nothing else with either (contract, Payment). */
export const finalIsWhole: Rule = {
  rule: "final-is-whole",
  broken: ({ told }) => {
    if (told === undefined) return undefined;
    if ((told.state === "FINAL") !== (told.outcome !== undefined))
      return `${told.state} with outcome ${told.outcome ?? "none"}`;
    const approved = told.outcome === "APPROVED" || told.outcome === "PARTIALLY_APPROVED";
    return told.outcome !== undefined && (told.decision === "approved") !== approved
      ? `${told.outcome} decided ${told.decision ?? "nothing"}`
      : undefined;
  },
};

/** A preauthorization is captured by payments of its own. */
const neverCapturedByItself: Rule = {
  rule: "never-captured-by-itself",
  broken: ({ posts }) =>
    posts.some(({ type }) => type === "CP") ? "posted a capture that nobody asked for" : undefined,
};

/** What must hold of a sale after every step. */
export const SALE_RULES: readonly Rule[] = [
  ...[
    oneBooking,
    neverAbove,
    approvedIsBooked,
    approvedByTheCard,
    approvedBySignature,
    capturedIsCaptured,
    notApprovedIsClear,
  ],
  ...[calledOffIsNotApproved, finalIsWhole],
];
export const PREAUTHORIZATION_RULES: readonly Rule[] = [...SALE_RULES, neverCapturedByItself];

function isMoving(rows: Evidence["rows"], id: string): boolean {
  return rows.some((row) => row.id === id && moves(row));
}

export const everythingEnds: Rule = {
  rule: "everything-ends",
  broken: ({ told }) =>
    told === undefined || told.state === "FINAL" ? undefined : `still ${told.state} (${told.reason ?? "no reason"})`,
};

const nothingIsLeft: Rule = {
  rule: "nothing-is-left",
  broken: ({ told, rows }) => {
    const left = standings(rows).filter(({ net }) => net > 0);
    return told?.decision !== "approved" && left.length > 0
      ? `${told?.outcome ?? "never accepted"} with ${money(left[0]?.net ?? 0)} left on the ledger`
      : undefined;
  },
};

const approvedIsCaptured: Rule = {
  rule: "approved-is-captured",
  broken: ({ asked, told, rows, family }) => {
    if (told?.decision !== "approved" || told.capture === "failed") return undefined;
    // A void stops a capture that is not through yet: what it leaves is for its own rules.
    if (
      family.some(
        (other) =>
          other.asked.does === "VOID" && other.asked.of === asked.reference && other.told?.decision === "approved",
      )
    )
      return undefined;
    const taken = standings(rows).reduce((total, { captured }) => total + captured, 0);
    const isInPart = rows.some(({ type, code }) => type === "CP" && code === IN_PART);
    if (isInPart && told.capture === "captured" && taken === told.capturedAmount) return undefined;
    if (taken !== told.approvedAmount)
      return `capture ${told.capture ?? "none"} with ${money(taken)} captured of ${money(told.approvedAmount ?? 0)}`;
    return told.capture === "pending" ? "the capture is still pending" : undefined;
  },
};

const lateBookingIsTold: Rule = {
  rule: "late-booking-is-told",
  broken: ({ told, rows, final }) => {
    if (final === undefined || told?.decision !== "not-approved" || told.lateBooking) return undefined;
    const late = rows.find(
      ({ id, of, type, at }) =>
        of !== undefined &&
        type === "RV" &&
        at > final.at &&
        rows.some((row) => row.id === of && moves(row)) &&
        isMoving(rows, id),
    );
    return late && `a booking was reversed after the payment was FINAL, and nobody was told`;
  },
};

export const ledgerIsExplained: Rule = {
  rule: "ledger-is-explained",
  broken: ({ told, rows }) => {
    const strange = rows.find((row) => row.request !== undefined && told?.attempts.includes(row.request) !== true);
    return strange && `the ledger holds ${strange.type} ${strange.id} that the payment does not know`;
  },
};

/** What must hold of a sale when everything was healed and every window has passed. */
export const SALE_END_RULES: readonly Rule[] = [
  ...[
    everythingEnds,
    nothingIsLeft,
    approvedIsCaptured,
    lateBookingIsTold,
    ledgerIsExplained,
    registrationsGoWithTheirPayment,
  ],
];
export const PREAUTHORIZATION_END_RULES: readonly Rule[] = SALE_END_RULES.filter((rule) => rule !== approvedIsCaptured);
