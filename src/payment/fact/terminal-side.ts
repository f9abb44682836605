import type { IssuerResponse } from "../../emv/issuer-response.ts";

/**
 * How far the payment is with the terminal. `asking-pin`: for the card that was tapped. `holding`: a card waits for the
 * host's answer (ARQC made, or the device is being
 * called off).
 */
export type TerminalSide =
  | { readonly at: "none" | "queued" }
  | { readonly at: "collecting" | "asking-pin" | "holding"; readonly since: number }
  | { readonly at: "completing"; readonly since: number; readonly issuer: IssuerResponse }
  | { readonly at: "over"; readonly since: number; readonly how: TerminalEnd };

/**
 * What the terminal side ended with. `removed`: the chip was pulled before it could say anything. `lost` after the
 * issuer's answer went to the card: the card's word is not
 * known. `read`: a refund's card, which gets no answer.
 */
export type TerminalEnd =
  | { readonly is: "unused" | "read" }
  | {
      readonly is: "verdict";
      readonly verdict: "approved" | "declined" | "read";
      readonly issuer: IssuerResponse;
      readonly removed?: true;
    }
  | { readonly is: "lost"; readonly issuer: IssuerResponse; readonly detail: string }
  | {
      readonly is: "no-card";
      readonly why:
        | "chip-unreadable"
        | "not-supported"
        | "blocked"
        | "removed"
        | "timeout"
        | "pin-timeout"
        | "use-chip";
    }
  | { readonly is: "cancelled"; readonly by: "customer" | "register" }
  | { readonly is: "failed"; readonly code: string; readonly detail: string }
  | { readonly is: "offline"; readonly decision: "approved-offline" | "declined-offline" };
