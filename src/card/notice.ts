import type { Tlv } from "../emv/tlv.ts";
import type { Capabilities } from "./capabilities.ts";
import type { CardData, Sealed } from "./card-data.ts";

/** What the cashier should see now (contract, section 3); a register that does not know a code shows the text. */
export type PromptCode =
  | "INSERT_OR_TAP"
  | "INSERT_CHIP"
  | "TAP"
  | "SWIPE"
  | "ENTER_CARD_NUMBER"
  | "TRY_AGAIN"
  | "ONE_CARD_ONLY"
  | "SEE_PHONE"
  | "SELECT_APPLICATION"
  | "ENTER_PIN"
  | "WRONG_PIN"
  | "PROCESSING"
  | "REMOVE_CARD"
  | "SIGN"
  | "APPROVED"
  | "NOT_APPROVED";

export interface Identity {
  readonly serialNumber: string;
  readonly model: string;
  readonly firmware: string;
  /** Names and versions of the configuration the device runs on, as it reports them. */
  readonly configuration: readonly { readonly name: string; readonly version: string }[];
  /** The device's own clock where it tells one. */
  readonly clock?: { readonly date: string; readonly time: string };
}

/** Absent is what the device cannot tell: its driver then ends the first card that comes without ciphertext with the fault `keys-missing`. */
export interface KeyStatus {
  readonly pin?: boolean;
  readonly sred?: boolean;
  readonly tampered?: boolean;
}

/**
 * Why a terminal cannot go on. `keys-missing`, `tampered`, `clear-card-data`, `ksn-not-rising` and `misconfigured` put it out of service until somebody mends it;
 * the others end the command (or the link) and leave a terminal that may be tried again.
 */
export type FaultCode =
  | "keys-missing"
  | "tampered"
  | "clear-card-data"
  | "ksn-not-rising"
  | "misconfigured"
  | "protocol"
  | "device-error"
  | "no-answer"
  | "refused";

/** `n` is the number of the command it belongs to; 0 is unsolicited. */
export type Notice = { readonly n: number } /** `capabilities`: what this member of the family can do, where that is less than its model says. */ & (
  | { readonly on: "ready"; readonly identity: Identity; readonly keys: KeyStatus; readonly capabilities?: Capabilities }
  /** `swipe`: of a prompt that asks for the chip or a tap: a magstripe is taken as well. */
  | { readonly on: "prompt"; readonly prompt: PromptCode; readonly swipe?: true }
  | { readonly on: "card"; readonly card: CardData }
  | { readonly on: "pin"; readonly pin: Sealed }
  /** `use-chip`: a chip card was swiped, or a tapped card wants to be inserted. */
  | { readonly on: "no-card"; readonly why: "chip-unreadable" | "not-supported" | "blocked" | "removed" | "timeout" | "pin-timeout" | "use-chip" }
  /** `read`: a magstripe, a tap or keyed data, for which the terminal acknowledged the issuer's answer; only a contact chip has a verdict of its own. */
  | { readonly on: "finished"; readonly verdict: "approved" | "declined" | "read"; readonly emv: readonly Tlv[] }
  | { readonly on: "cancelled"; readonly by: "customer" | "register" }
  /** The command that has no result of its own (idle, display, set-clock) is done. */
  | { readonly on: "done" }
  /** Only a device that also says `false` says `true`: what is believed to be in the slot is waited for. */
  | { readonly on: "slot"; readonly card: boolean }
  /** The device never says `slot`. Of one that has said neither nothing is known until its next change. */
  | { readonly on: "slot-untold" }
  /** The device starts anew by itself in so many milliseconds (a daily self-test): no new payment begins on it until it is back. */
  | { readonly on: "restart-soon"; readonly inMs: number }
  | { readonly on: "fault"; readonly code: FaultCode; readonly detail: string }
);
