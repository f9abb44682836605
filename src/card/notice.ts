import type { Tlv } from "../emv/tlv.ts";
import type { Capabilities } from "./capabilities.ts";
import type { CardData, Sealed } from "./card-data.ts";

/** The cashier's current prompt (contract, section 3); a register that does not know a code shows the text. */
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
  /** Names and versions of the device's configuration, as it reports them. */
  readonly configuration: readonly { readonly name: string; readonly version: string }[];
  /** The device's own clock, if it reports one. */
  readonly clock?: { readonly date: string; readonly time: string };
}

/** Absent: the device cannot tell. Its driver then ends a card without ciphertext with the fault `keys-missing`. */
export interface KeyStatus {
  readonly pin?: boolean;
  readonly sred?: boolean;
  readonly tampered?: boolean;
}

/**
 * Why a terminal cannot go on. `keys-missing`, `tampered`, `clear-card-data`, `ksn-not-rising` and `misconfigured` put
 * it out of service until it is repaired. The others end the command or the link, and the terminal may be tried again.
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
export type Notice = { readonly n: number } /** `capabilities`: those of this device, if fewer than its model's. */ & (
  | {
      readonly on: "ready";
      readonly identity: Identity;
      readonly keys: KeyStatus;
      readonly capabilities?: Capabilities;
    }
  /** `swipe`: the prompt asks for chip or tap, but a magstripe is accepted too. */
  | { readonly on: "prompt"; readonly prompt: PromptCode; readonly swipe?: true }
  | { readonly on: "card"; readonly card: CardData }
  | { readonly on: "pin"; readonly pin: Sealed }
  /** `use-chip`: a chip card was swiped, or a tapped card must be inserted. */
  | {
      readonly on: "no-card";
      readonly why:
        | "chip-unreadable"
        | "not-supported"
        | "blocked"
        | "removed"
        | "timeout"
        | "pin-timeout"
        | "use-chip";
    }
  /**
   * `read`: magstripe, tap or keyed data, for which the terminal only acknowledged the issuer's answer. Only a contact
   * chip has a verdict of its own.
   */
  | { readonly on: "finished"; readonly verdict: "approved" | "declined" | "read"; readonly emv: readonly Tlv[] }
  | { readonly on: "cancelled"; readonly by: "customer" | "register" }
  /** A command without result (idle, display, set-clock) is done. */
  | { readonly on: "done" }
  /**
   * A device reports `true` only if it also reports `false`, because the bridge waits for the removal of a reported
   * card.
   */
  | { readonly on: "slot"; readonly card: boolean }
  /** The device never sends `slot`. Before either notice, the slot's state is unknown until its next change. */
  | { readonly on: "slot-untold" }
  /**
   * The device restarts by itself in `inMs` milliseconds (a daily self-test). No new payment begins on it until it is
   * back.
   */
  | { readonly on: "restart-soon"; readonly inMs: number }
  | { readonly on: "fault"; readonly code: FaultCode; readonly detail: string }
);
