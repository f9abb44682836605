import type { IssuerResponse } from "../emv/issuer-response.ts";
import type { Minor } from "../kit/money.ts";

/** Local time of the shop in EMV's form: 9A YYMMDD, 9F21 HHMMSS. */
export interface LocalTime {
  readonly date: string;
  readonly time: string;
}

export interface CollectRequest {
  readonly amount: Minor;
  /** ISO 4217, three digits (5F2A). */
  readonly currencyNumeric: string;
  readonly currencyCode: string;
  /** Currency exponent (5F36). */
  readonly decimals: number;
  /**
   * EMV transaction type (9C): purchase 00, refund 20. A refund takes no PIN; it ends after the first GENERATE AC,
   * whatever the card decided.
   */
  readonly transactionType: "00" | "20";
  readonly interfaces: readonly ("chip" | "contactless" | "stripe" | "keyed")[];
  readonly now: LocalTime;
  /** The device's time limits for a card and for a PIN. The payment has its own. */
  readonly cardMs: number;
  readonly pinMs: number;
  /**
   * Why the same payment collects a card again; absent the first time. `chip-unreadable`, `fallback`: eject a card
   * first. `wrong-pin`: a new transaction (ATC, ARQC) with the card in the slot. `use-chip`: insert the tapped or
   * swiped card.
   */
  readonly again?: "chip-unreadable" | "fallback" | "wrong-pin" | "use-chip";
}

/** A PIN for the card tapped before, whose data the payment still holds (a soft decline after a tap). */
export interface PinRequest {
  readonly amount: Minor;
  readonly currencyNumeric: string;
  readonly currencyCode: string;
  readonly decimals: number;
  readonly pinMs: number;
}

/** Commands of a payment or session to a terminal. Every command has a number; its notices repeat it. */
export type Command =
  | { readonly do: "identify" }
  | { readonly do: "idle" }
  | { readonly do: "cancel" }
  | { readonly do: "set-clock"; readonly now: LocalTime }
  | { readonly do: "collect"; readonly request: CollectRequest }
  /**
   * Ends with the notice `pin`, `no-card` (`pin-timeout`), `cancelled` or `fault`. A `complete` follows the fault
   * `refused` (no PIN for this card).
   */
  | { readonly do: "ask-pin"; readonly request: PinRequest }
  | { readonly do: "complete"; readonly issuer: IssuerResponse }
  /** `meaning` is for devices with fixed texts; a device without a display answers `done`. */
  | {
      readonly do: "display";
      readonly lines: readonly string[];
      readonly meaning?: "approved" | "not-approved" | "undecided";
    };
