import type { CardProfile } from "../../packages/sandbox/testbed/card-profile.ts";
import type {
  FirstDecision,
  KernelConfiguration,
  KernelRequest,
} from "../../packages/sandbox/testbed/contact-kernel.ts";
import type { SealedBytes } from "../../packages/sandbox/testbed/sealed-bytes.ts";
import type { SredLayout } from "../../packages/sandbox/testbed/sred-layouts.ts";
import type { Tlv } from "../emv/tlv.ts";
import type { AskedAmount } from "./request-text.ts";
import type { DeviceOn } from "./terminal-body.ts";

/* The contract between a model's simulator and a card session. */

export type TypedItem = "number" | "expiry";

/** Accepted ways to present a card; an inserted card counts as presented. */
export interface Ways {
  readonly chip?: boolean;
  readonly tap?: boolean;
  readonly magstripe?: boolean;
  /** Number and expiry are typed; only if no other way is offered. */
  readonly keyed?: boolean;
}

/** The host's request. */
export interface SessionRequest extends Omit<KernelRequest, "unpredictableNumber" | "sequence">, AskedAmount {}

export type Via = "chip" | "tap" | "magstripe" | "keyed";

/**
 * The card's data in the terminal: `data` has all tags, of which the device sends in clear only what is allowed; `sred`
 * is sealed.
 */
export interface ReadCard {
  readonly is: "read";
  readonly via: Via;
  readonly decision: FirstDecision;
  readonly profile: CardProfile;
  readonly data: readonly Tlv[];
  readonly sred: SealedBytes;
  /** The PIN typed before the first cryptogram. */
  readonly pin?: SealedBytes;
}

/** The second cryptogram's decision, or the reader's result after a tap. */
export interface CompletedCard {
  readonly is: "completed";
  readonly via: "chip" | "tap";
  readonly verdict: "approved" | "declined";
  readonly profile: CardProfile;
  readonly data: readonly Tlv[];
}

export type Failure =
  | "unreadable"
  | "blocked"
  /** A tapped card asks to be inserted. */
  | "insert-instead"
  | "pulled"
  | "cancelled"
  | "timeout"
  | "pin-timeout"
  | "aborted"
  /** The PIN key or card data key has reached its last counter. */
  | "pin-key-used-up"
  | "card-key-used-up";

export type CardOutcome =
  /** Slot events, reported in every state. */
  | { readonly is: "inserted" }
  | { readonly is: "removed" }
  /** A telephone asks its holder first; the session goes on waiting. */
  | { readonly is: "see-phone" }
  /** Labels for the choice by holder or host. */
  | { readonly is: "choose"; readonly applications: readonly string[] }
  /** Application selected and records read; only with `pausesBeforeCryptogram`. */
  | { readonly is: "selected"; readonly profile: CardProfile; readonly data: readonly Tlv[] }
  /** `triesLeft` for an offline PIN; repeated after each wrong entry. */
  | { readonly is: "enter-pin"; readonly triesLeft?: number }
  /** A PIN was entered; an offline PIN was right. */
  | { readonly is: "pin-typed" }
  /** Answer to `type`. */
  | { readonly is: "typed"; readonly item: TypedItem; readonly digits: string }
  | ReadCard
  | CompletedCard
  /** Answer to `askPin`. */
  | { readonly is: "pin"; readonly pin: SealedBytes }
  /** The current work failed, or only its PIN entry by `askPin`. */
  | { readonly is: "failed"; readonly why: Failure };

export interface SessionOn extends DeviceOn {
  /** The device's layout of sealed data. */
  readonly sred: SredLayout;
  /** Receives every outcome at once; the device's messages go through its clock. */
  readonly says: (outcome: CardOutcome) => void;
  /** Deviations from the device's capabilities. */
  readonly kernel?: Partial<KernelConfiguration>;
  /** Seals the card in place of the layout. Undefined: the keys are used up. */
  readonly seal?: (data: readonly Tlv[], pin: SealedBytes | undefined) => SealedBytes | undefined;
  /** Waits for `proceed` between a contact chip's records and its first cryptogram. */
  readonly pausesBeforeCryptogram?: boolean;
  /** The host chooses the application (`choose`), not the holder. */
  readonly hostChooses?: boolean;
  /** The host asks for the removal of an unreadable card, not the device. */
  readonly keepsUnreadable?: boolean;
}
