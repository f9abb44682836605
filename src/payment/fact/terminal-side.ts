import type { IssuerResponse } from "../../emv/issuer-response.ts";

/**
 * `asking-pin`: the PIN of a tapped card. `holding`: the card waits with its ARQC for the host, or the device is being
 * cancelled. `completing`: the host's answer is at the card (second GENERATE AC).
 */
export type TerminalSide =
  | { readonly at: "none" | "queued" }
  | { readonly at: "collecting" | "asking-pin" | "holding"; readonly since: number }
  | { readonly at: "completing"; readonly since: number; readonly issuer: IssuerResponse }
  | { readonly at: "over"; readonly since: number; readonly how: TerminalEnd };

/**
 * `read`: a refund's card, done after the first GENERATE AC. `removed`: the chip left before the second. `lost`: the
 * second's result never came, so an approval is reversed.
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
