import type { Story } from "./kinds.ts";

/**
 * A moment of a payment's life: some milliseconds after its register first hears of the state ("asked": after the start
 * was sent).
 */
export interface Moment {
  readonly state: "asked" | "AWAITING_CARD" | "AUTHORIZING" | "COMPLETING" | "REVERSING" | "FINAL";
  readonly delayMs: number;
}

/** What the sandbox is told to do to the next request that fits (contract, section 4). */
export interface GatewayFault {
  readonly on: { readonly paymentType?: string; readonly path?: string };
  readonly do: string | { readonly result: string };
  readonly delayMs?: number;
}

export type Misfortune =
  /** SIGKILL of the bridge, which is started again at once, or after `downMs`. */
  | { readonly is: "kill"; readonly at: Moment; readonly downMs?: number }
  /** SIGTERM of the bridge; with `killedAfterMs` somebody loses patience. */
  | { readonly is: "stop"; readonly at: Moment; readonly killedAfterMs?: number }
  /** SIGKILL of the sandbox, which comes back on the same port and the same ledger. */
  | { readonly is: "gateway-kill"; readonly at: Moment; readonly downMs: number }
  | { readonly is: "gateway"; readonly at: Moment; readonly fault: GatewayFault }
  /**
   * Contract, section 5. What does not end by itself happens at once (not `after` so many frames) and is mended after
   * `mendMs`.
   */
  | {
      readonly is: "terminal";
      readonly at: Moment;
      readonly fault: string;
      readonly after: number;
      readonly mendMs?: number;
    }
  | { readonly is: "card-pulled"; readonly at: Moment }
  | { readonly is: "red-key"; readonly at: Moment };

/** What the register does besides waiting. */
export interface Conduct {
  /** The same start from two sockets at once. */
  readonly twice: boolean;
  /** The same start again, so often, at some later time. */
  readonly repeats: readonly Moment[];
  /** Somebody at the same register begins anew for the same order, under another reference. */
  readonly anew?: Moment;
  /** The next customer's sale is started on the same terminal, and waits in its queue: a payment more. */
  readonly rush?: Moment;
  /** Of each payment of the story, or of the one with that number (0 is the first). */
  readonly cancel?: Moment & { readonly only?: number };
  /** Its sockets close, and it comes back after a while by its cursor. */
  readonly away?: Moment & { readonly forMs: number };
  /** In the terminal's queue, instead of asking again until it is free. */
  readonly queue: boolean;
  readonly allowPartialApproval: boolean;
}

/**
 * What the customer has in his hand: the terminal's usual card, one that refuses after the issuer approved, or one that
 * is tapped or swiped and has no last word.
 */
export type CardChoice = "usual" | "refusing" | "without-chip";

/**
 * What can show a plan: every terminal; one whose card reaches the gateway; of these one that reserves and captures, or
 * the one on the shop's own channel, where what has no
 * terminal is dealt and the cards are stored that it takes.
 */
export type Place = "anywhere" | "steady" | "reserving" | "shop-channel";

/**
 * What a customer does to a link's page, so long after the deed before it. `second`: the same is paid in another
 * browser, which was opened before.
 */
export interface PhoneDeed {
  readonly afterMs: number;
  readonly does: "open" | "pay" | "decline" | "code" | "wrong-code" | "second";
}

/** For a business that begins with a link. */
export interface OnPhone {
  readonly deeds: readonly PhoneDeed[];
  /** What he is given; an hour when not said. */
  readonly validForMs?: number;
}

export interface Plan {
  readonly number: number;
  readonly story: Story;
  /** Cents of the first payment. */
  readonly cents: number;
  readonly conduct: Conduct;
  /** Of each payment of the story, the first one first. */
  readonly misfortunes: readonly (readonly Misfortune[])[];
  readonly card: CardChoice;
  readonly place: Place;
  readonly phone?: OnPhone;
  /** Which of the ordeals it is; everyday business is none. */
  readonly ordeal?: string;
}

/** How many payments a story is when everything goes well; a deletion is none. */
export function paymentsIn({ after }: Story): number {
  return 1 + after.filter(({ kind }) => kind !== "DELETION").length;
}

export function sizeOf({ story, conduct }: Pick<Plan, "story" | "conduct">): number {
  return paymentsIn(story) + (conduct.rush === undefined ? 0 : 1);
}
