/** The states of a payment (contract, section 3), in their order. */
export const states = [
  "CREATED",
  "QUEUED",
  "AWAITING_CARD",
  "AUTHORIZING",
  "COMPLETING",
  "RESOLVING",
  "REVERSING",
  "FINAL",
] as const;
export type State = (typeof states)[number];

/** The members of the register API's payment that tell whether it is open, and why. */
export interface Seen {
  readonly id: string;
  readonly reference: string;
  readonly register: string;
  readonly terminal?: string | undefined;
  /** The register API's payment type. */
  readonly type: string;
  readonly state: State;
  readonly createdAt: string;
  readonly capture?: "pending" | "captured" | "failed" | undefined;
  readonly approvedAmount?: string | undefined;
  readonly capturedAmount?: string | undefined;
  readonly lateBooking?: boolean | undefined;
  readonly voidedBy?: string | undefined;
  /**
   * Hidden from registers: the gateway holds another booking of this payment. `booked`: it must be reversed; `pending`:
   * undecided; `instead`: visible in place of the approved one.
   */
  readonly secondBooking?: "booked" | "pending" | "instead" | undefined;
  /** Hidden from registers: a booking appeared after an operator closed the payment. */
  readonly bookedAfterClosing?: boolean | undefined;
  /** Hidden from registers: a card is stored without permission. */
  readonly cardLeft?: boolean | undefined;
  /** Hidden from registers: two captures of it stand. */
  readonly capturedTwice?: boolean | undefined;
}

/** An unfinished payment: not final, or final with a capture or a reversal still owed. */
export interface OpenPayment {
  readonly payment: string;
  readonly reference: string;
  readonly register: string;
  readonly terminal?: string;
  readonly state: State;
  /** Its age counts from then, ISO 8601 UTC: acceptance, or the payment or end of its link. */
  readonly since: string;
  /** The event that it waits for, and what a person can do. */
  readonly owed: string;
  readonly mend: string;
}

interface Owed {
  readonly owed: string;
  readonly mend: string;
}

const LOOK = "look at the booking in the gateway's back office";
const REACH = "see that the gateway can be reached; the bridge goes on by itself";

const BY_STATE: Readonly<Record<Exclude<State, "FINAL">, Owed>> = {
  CREATED: { owed: "its turn", mend: "see that its terminal is ready, or cancel it at the register" },
  QUEUED: { owed: "a free terminal", mend: "see what holds its terminal, or cancel it at the register" },
  AWAITING_CARD: { owed: "the card", mend: "present the card, or cancel it at the register" },
  AUTHORIZING: { owed: "the gateway's answer", mend: REACH },
  COMPLETING: {
    owed: "the card's last word, or the signature",
    mend: "see that its terminal is ready and the signature is confirmed",
  },
  RESOLVING: {
    owed: "word of what the gateway booked",
    mend: `${REACH}; where it tells nothing clear past the unknown window: posbridge resolve`,
  },
  REVERSING: {
    owed: "the reversal",
    mend: `${LOOK}; the bridge goes on trying, and sees what was reversed there within an hour; what was given back there in another way: posbridge resolve`,
  },
};

/** Payments to a customer, which the bridge never reverses on its own. */
const CREDITS: readonly string[] = ["REFUND", "LINKED_REFUND"];

const SECOND: Readonly<Record<NonNullable<Seen["secondBooking"]>, Owed>> = {
  booked: {
    owed: "the reversal of a second booking",
    mend: `${LOOK}; the bridge goes on trying; what the gateway refuses give back there, then: posbridge resolve`,
  },
  pending: {
    owed: "word of a second booking that the gateway has not decided",
    mend: `${REACH}; what is booked it takes back; what stays undecided past the unknown window: posbridge resolve`,
  },
  instead: {
    owed: "a word on another booking that the gateway shows instead of the one that it was approved by",
    mend: `${LOOK} which of them stands; the bridge takes nothing back before it has seen both; then: posbridge resolve`,
  },
};

const GIVEN_TWICE: Owed = {
  owed: "a word on money that a customer got twice",
  mend: `${LOOK} and settle it with the customer, then: posbridge resolve`,
};
const PERHAPS_GIVEN: Owed = {
  owed: "word of whether a customer got money twice, or late",
  mend: `${REACH}; what stays undecided past the unknown window: posbridge resolve`,
};
const GIVEN_LATE: Owed = { ...GIVEN_TWICE, owed: "a word on money that a customer got late" };

const CARD_LEFT: Owed = {
  owed: "the deletion of a stored card",
  mend: "the bridge goes on trying; what the gateway refuses delete in its back office, then: posbridge resolve",
};

/** Undefined: nothing is owed; the bridge only queries for a late booking. */
function owedBy(seen: Seen): Owed | undefined {
  const { type, state, lateBooking, secondBooking, bookedAfterClosing } = seen;
  if (state === "CREATED" && type === "VOID") return { owed: "what becomes of the capture that it voids", mend: REACH };
  if (state === "AWAITING_CARD" && (seen.terminal ?? "") === "")
    return { owed: "the customer, who has not paid by the link", mend: "wait, or cancel it at the register" };
  if (state !== "FINAL") return withBeside(BY_STATE[state], seen);
  const capture = owedByCapture(seen);
  // One operator decision closes both, so both are named.
  if (secondBooking !== undefined && capture !== undefined) {
    const mend =
      secondBooking === "instead"
        ? SECOND.instead.mend
        : `${capture.mend}; before that see that the second booking is given back`;
    return { owed: `${capture.owed}, and ${SECOND[secondBooking].owed}`, mend };
  }
  if (capture !== undefined) return capture;
  const isCredit = CREDITS.includes(type);
  if (secondBooking !== undefined) return owedBySecond(seen, secondBooking);
  if (bookedAfterClosing === true)
    return {
      owed: "a word on what was done at the gateway after it had been closed",
      mend: `${LOOK} and settle it there, then: posbridge resolve`,
    };
  if (seen.capturedTwice === true)
    return {
      owed: "a word on its capture, which the gateway holds twice",
      mend: `${LOOK} and have one of the two given back, then: posbridge resolve`,
    };
  if (seen.cardLeft === true) return CARD_LEFT;
  if (lateBooking !== true) return undefined;
  if (isCredit) return GIVEN_LATE;
  return {
    owed: "the reversal of a late booking",
    mend: `${LOOK}; the bridge goes on trying; what the gateway refuses to reverse: posbridge resolve`,
  };
}

/** Second bookings and stored cards need no action before the end, but people must know about them. */
function withBeside(first: Owed, seen: Seen): Owed {
  const second = seen.secondBooking === undefined ? [] : [owedBySecond(seen, seen.secondBooking)];
  const all = [first, ...second, ...(seen.cardLeft === true ? [CARD_LEFT] : [])];
  return { owed: all.map(({ owed }) => owed).join(", and "), mend: first.mend };
}

function owedBySecond({ type, lateBooking }: Seen, second: NonNullable<Seen["secondBooking"]>): Owed {
  if (!CREDITS.includes(type)) return SECOND[second];
  if (second === "pending") return PERHAPS_GIVEN;
  return lateBooking === true ? GIVEN_LATE : GIVEN_TWICE;
}

function owedByCapture({ capture, approvedAmount, capturedAmount, voidedBy }: Seen): Owed | undefined {
  if (capture === "failed")
    return {
      owed: "the capture, which the gateway refuses",
      mend: `${LOOK}; if it was not captured, capture it there, then: posbridge resolve`,
    };
  if (capture === "pending")
    return {
      owed: "the capture",
      mend: `${REACH}; where it stays pending for days, ${LOOK}, then say what became of it: posbridge resolve`,
    };
  if (capture !== "captured" || capturedAmount === approvedAmount || voidedBy !== undefined) return undefined;
  return {
    owed: `a word on its capture: ${capturedAmount} of ${approvedAmount}`,
    mend: `${LOOK}; capture the rest there, or settle it with the customer, then: posbridge resolve`,
  };
}

/** An unfinished payment for people; undefined: nothing is owed. */
export function openPayment(seen: Seen): OpenPayment | undefined {
  const owing = owedBy(seen);
  if (owing === undefined) return undefined;
  const { id, reference, register, terminal, state, createdAt } = seen;
  return {
    payment: id,
    reference,
    register,
    ...(terminal !== undefined && { terminal }),
    state,
    since: createdAt,
    ...owing,
  };
}

/**
 * An open payment with its age in milliseconds, by the payment's own time (engine/mailbox). Setting the wall clock back
 * does not make it younger.
 */
export interface OpenFor extends OpenPayment {
  readonly openMs: number;
}

/** No register waits longer, in milliseconds: a person must look. */
export const OVERDUE_MS = 300_000;
