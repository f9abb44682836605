import type { Tlv } from "../emv/tlv.ts";
import type { CardProfile } from "../testbed/card-profile.ts";
import type { FirstDecision, KernelConfiguration, KernelRequest } from "../testbed/contact-kernel.ts";
import type { SealedBytes } from "../testbed/sealed-bytes.ts";
import type { SredLayout } from "../testbed/sred-layouts.ts";
import type { AskedAmount } from "./request-text.ts";
import type { DeviceOn } from "./terminal-body.ts";

/* What a model's simulator and a card session say to each other. */

export type TypedItem = "number" | "expiry";

/** How a card may be presented to one transaction; a card that is in the slot already counts as presented. */
export interface Ways {
  readonly chip?: boolean;
  readonly tap?: boolean;
  readonly magstripe?: boolean;
  /** Number and expiry are typed; only where nothing else is offered. */
  readonly keyed?: boolean;
}

/** What the host asks for. */
export interface SessionRequest extends Omit<KernelRequest, "unpredictableNumber" | "sequence">, AskedAmount {}

export type Via = "chip" | "tap" | "magstripe" | "keyed";

/** The card's data as its terminal has them: `data` everything by tag, of which a device sends in clear only what may be, `sred` what it seals. */
export interface ReadCard {
  readonly is: "read";
  readonly via: Via;
  readonly decision: FirstDecision;
  readonly profile: CardProfile;
  readonly data: readonly Tlv[];
  readonly sred: SealedBytes;
  /** The PIN that was typed before the first cryptogram. */
  readonly pin?: SealedBytes;
}

/** The second word of a card, or what a reader makes of the issuer's word after a tap. */
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
  /** A tapped card wants the slot. */
  | "insert-instead"
  | "pulled"
  | "cancelled"
  | "timeout"
  | "pin-timeout"
  | "aborted"
  /** The PIN key, or the key for card data, has made all the cryptograms it may. */
  | "pin-key-used-up"
  | "card-key-used-up";

export type CardOutcome =
  /** The slot, told whatever the session does. */
  | { readonly is: "inserted" }
  | { readonly is: "removed" }
  /** A telephone asks its holder first; the session waits on. */
  | { readonly is: "see-phone" }
  /** The labels among which the holder, or the host, chooses. */
  | { readonly is: "choose"; readonly applications: readonly string[] }
  /** Application selected and records read; only where the session pauses there. */
  | { readonly is: "selected"; readonly profile: CardProfile; readonly data: readonly Tlv[] }
  /** `triesLeft` where the card compares the PIN, which it does after each entry. */
  | { readonly is: "enter-pin"; readonly triesLeft?: number }
  /** A PIN was taken; one that the card compared was right. */
  | { readonly is: "pin-typed" }
  /** An answer to `type`. */
  | { readonly is: "typed"; readonly item: TypedItem; readonly digits: string }
  | ReadCard
  | CompletedCard
  /** An answer to `askPin`. */
  | { readonly is: "pin"; readonly pin: SealedBytes }
  /** What ran is over, or only its PIN entry where that was asked for by `askPin`. */
  | { readonly is: "failed"; readonly why: Failure };

export interface SessionOn extends DeviceOn {
  /** How the device lays out what it seals. */
  readonly sred: SredLayout;
  /** Hears everything, at the moment it happens: what a device sends upon it goes through its own clock. */
  readonly says: (outcome: CardOutcome) => void;
  /** What is not as the device's capabilities say. */
  readonly kernel?: Partial<KernelConfiguration>;
  /** Seals a card otherwise than its layout says. Undefined: the keys are used up. */
  readonly seal?: (data: readonly Tlv[], pin: SealedBytes | undefined) => SealedBytes | undefined;
  /** Waits for `proceed` between a contact chip's records and its first cryptogram. */
  readonly pausesBeforeCryptogram?: boolean;
  /** The host chooses among applications (`choose`), not the holder at the keys. */
  readonly hostChooses?: boolean;
  /** The host asks an unreadable card out, not the device. */
  readonly keepsUnreadable?: boolean;
}
