/** Every type of payment that the contract names (section 3). */
export const KIND_NAMES = [
  "SALE",
  "PREAUTHORIZATION",
  "REFUND",
  "REGISTRATION",
  "CAPTURE",
  "VOID",
  "LINKED_REFUND",
  "INCREMENT",
] as const;
export type Kind = (typeof KIND_NAMES)[number];

/** Kinds that begin with a card, by payment.start. */
export type StartKind = "SALE" | "PREAUTHORIZATION" | "REFUND" | "REGISTRATION";
/** Kinds that refer to a payment before, each by a method of its own. */
export type FollowKind = Exclude<Kind, StartKind>;
/**
 * By what a payment takes its money: a card that is presented (or none, where it follows another payment), the
 * customer's own phone, or a stored card.
 */
export type Means = "card" | "link" | "stored-card";

/** What a till asks for first: something with a card, or a link for the customer's phone. */
export type First = StartKind | "LINK";
/**
 * What it asks for after that: of the payment before, or of the card that was stored first. `CHARGE` sells by it,
 * `HOLD` reserves, and `DELETION` is no payment.
 */
export type Next = FollowKind | "CHARGE" | "HOLD" | "DELETION";
export type Errand = First | Next;

export function kindOf(errand: Exclude<Errand, "DELETION">): Kind {
  if (errand === "LINK" || errand === "CHARGE") return "SALE";
  return errand === "HOLD" ? "PREAUTHORIZATION" : errand;
}

export function meansOf(errand: Exclude<Errand, "DELETION">): Means {
  if (errand === "LINK") return "link";
  return errand === "CHARGE" || errand === "HOLD" ? "stored-card" : "card";
}

/** What of the original's amount a following payment is for; undefined where it names none, or has one of its own. */
type Share = "all" | "half" | "third" | undefined;

export interface Follow {
  readonly kind: Next;
  readonly share: Share;
}

/** One customer's business: a payment, and what follows from it while everything that it needs is there. */
export interface Story {
  readonly first: First;
  readonly after: readonly Follow[];
  /** How often it comes, against the others. */
  readonly weight: number;
}

export const follow = (kind: Next, share: Share = undefined): Follow => ({ kind, share });

/** What the tills do: every kind. */
export const STORIES: readonly Story[] = [
  { first: "SALE", after: [], weight: 8 },
  { first: "SALE", after: [follow("VOID")], weight: 2 },
  { first: "SALE", after: [follow("LINKED_REFUND", "all")], weight: 2 },
  { first: "SALE", after: [follow("LINKED_REFUND", "half"), follow("LINKED_REFUND", "third")], weight: 1 },
  { first: "LINK", after: [], weight: 1 },
  { first: "LINK", after: [follow("LINKED_REFUND", "half")], weight: 1 },
  { first: "LINK", after: [follow("VOID")], weight: 1 },
  { first: "PREAUTHORIZATION", after: [], weight: 1 },
  { first: "PREAUTHORIZATION", after: [follow("CAPTURE", "all")], weight: 2 },
  { first: "PREAUTHORIZATION", after: [follow("CAPTURE", "half"), follow("CAPTURE", "third")], weight: 1 },
  { first: "PREAUTHORIZATION", after: [follow("INCREMENT", "half"), follow("CAPTURE", "all")], weight: 1 },
  { first: "PREAUTHORIZATION", after: [follow("INCREMENT", "third"), follow("VOID")], weight: 1 },
  { first: "PREAUTHORIZATION", after: [follow("VOID")], weight: 1 },
  { first: "PREAUTHORIZATION", after: [follow("CAPTURE", "all"), follow("VOID")], weight: 1 },
  { first: "REFUND", after: [], weight: 1 },
  { first: "REGISTRATION", after: [], weight: 1 },
  { first: "REGISTRATION", after: [follow("CHARGE")], weight: 1 },
  { first: "REGISTRATION", after: [follow("CHARGE"), follow("LINKED_REFUND", "half"), follow("DELETION")], weight: 1 },
  { first: "REGISTRATION", after: [follow("HOLD"), follow("CAPTURE", "all")], weight: 1 },
  { first: "REGISTRATION", after: [follow("DELETION"), follow("CHARGE"), follow("DELETION")], weight: 1 },
];

/**
 * Specification, paymentType: what the gateway's ledger holds of a kind, and what of the payment's own takes such a
 * booking back.
 */
interface Booked {
  readonly by: readonly string[];
  readonly takenBackBy: readonly string[];
  /** Several bookings may make one payment: the void of a reservation takes back its increments too. */
  readonly several?: true;
  /** It names no amount of its own. */
  readonly withoutAmount?: true;
}

export const BOOKED: Readonly<Record<Kind, Booked>> = {
  SALE: { by: ["PA", "DB"], takenBackBy: ["RV", "RF"] },
  PREAUTHORIZATION: { by: ["PA"], takenBackBy: ["RV"] },
  REFUND: { by: ["CD"], takenBackBy: ["RV"] },
  REGISTRATION: { by: ["RG"], takenBackBy: ["DR"], withoutAmount: true },
  CAPTURE: { by: ["CP"], takenBackBy: ["RV"] },
  VOID: { by: ["RV"], takenBackBy: [], several: true, withoutAmount: true },
  LINKED_REFUND: { by: ["RF"], takenBackBy: ["RV"] },
  INCREMENT: { by: ["PA"], takenBackBy: ["RV"] },
};

/** Whether a card speaks the last word: the payment is approved only when it agreed. */
export const HAS_CARD: Readonly<Record<Kind, boolean>> = {
  SALE: true,
  PREAUTHORIZATION: true,
  // A credit is accepted with the first cryptogram already, which is an AAC (contract, simulated card refund-aac), and
  // a registration moves no money.
  REFUND: false,
  REGISTRATION: false,
  CAPTURE: false,
  VOID: false,
  LINKED_REFUND: false,
  INCREMENT: false,
};
