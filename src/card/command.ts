import type { IssuerResponse } from "../emv/issuer-response.ts";
import type { Minor } from "../kit/money.ts";

/** Wall-clock time where the shop is, as EMV wants it: 9A YYMMDD, 9F21 HHMMSS. */
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
  /** EMV transaction type (9C): purchase 00, refund 20. A refund takes no PIN and no second GENERATE AC: the driver ends it with the card after the first, whatever it decided. */
  readonly transactionType: "00" | "20";
  readonly interfaces: readonly ("chip" | "contactless" | "stripe" | "keyed")[];
  readonly now: LocalTime;
  /** How long the device may wait for a card and for a PIN. The payment keeps a clock of its own beside it. */
  readonly cardMs: number;
  readonly pinMs: number;
  /**
   * Why a card is asked for again within the same payment; absent the first time. After `chip-unreadable` and for `fallback` a card in the slot is asked out first;
   * after `wrong-pin` the card that is in the slot is used for a new transaction (new ATC, new ARQC); `use-chip` wants the chip of a card that was tapped or swiped.
   */
  readonly again?: "chip-unreadable" | "fallback" | "wrong-pin" | "use-chip";
}

/** A PIN for the card that was tapped just now, whose data the payment still holds (a soft decline after a tap). */
export interface PinRequest {
  readonly amount: Minor;
  readonly currencyNumeric: string;
  readonly currencyCode: string;
  readonly decimals: number;
  readonly pinMs: number;
}

/** What a payment or the session asks of a terminal. Every command gets a number; every notice repeats it. */
export type Command =
  | { readonly do: "identify" }
  | { readonly do: "idle" }
  | { readonly do: "cancel" }
  | { readonly do: "set-clock"; readonly now: LocalTime }
  | { readonly do: "collect"; readonly request: CollectRequest }
  /** Ends with the notice `pin`, `no-card` (`pin-timeout`), `cancelled` or `fault`. One with the code `refused` (no PIN for this very card) is followed by `complete`. */
  | { readonly do: "ask-pin"; readonly request: PinRequest }
  | { readonly do: "complete"; readonly issuer: IssuerResponse }
  /** `meaning` is for devices that show only texts of their own; one without a display answers `done`. */
  | { readonly do: "display"; readonly lines: readonly string[]; readonly meaning?: "approved" | "not-approved" | "undecided" };
