import type { Tlv } from "../emv/tlv.ts";
import type { Cancel } from "../kit/clock.ts";
import type { ChipCard } from "../testbed/card.ts";
import type { CardProfile } from "../testbed/card-profile.ts";
import type { ContactTransaction, HostAnswer, KernelConfiguration } from "../testbed/contact-kernel.ts";
import type { Tapped } from "../testbed/contactless-kernel.ts";
import type { SealedBytes } from "../testbed/sealed-bytes.ts";
import { kernelConfiguration } from "./kernel-configuration.ts";
import { chipTimes } from "./pace.ts";
import type { CardOutcome, Failure, SessionOn, SessionRequest, Ways } from "./session-contract.ts";

/** A card that gave its first cryptogram, or its tracks by a tap, and waits for the issuer's answer. */
export type Held = { readonly via: "chip"; readonly transaction: ContactTransaction } | { readonly via: "tap"; readonly tapped: Tapped };

export interface Waiting {
  readonly at: "waiting";
  readonly request: SessionRequest;
  readonly ways: Ways;
  /** By the monotonic clock. */
  readonly endsAt: number;
  /** This telephone has asked its holder already. */
  readonly isKnown: boolean;
}

/** Records read; a PIN and the first cryptogram are outstanding. */
export interface Paused {
  readonly at: "paused";
  readonly transaction: ContactTransaction;
  readonly request: SessionRequest;
}

/** Something is being typed: a PIN, a number, a choice. */
export interface Typing {
  readonly at: "typing";
  readonly typed: string;
  readonly least: number;
  readonly most: number;
  readonly show: (typed: string) => void;
  readonly entered: (typed: string) => void;
  /** The green key without a digit, where that is allowed. */
  readonly bypassed?: () => void;
  /** What follows where nothing was entered. */
  readonly back: Extract<SessionState, { at: "idle" | "paused" | "held" }>;
  readonly late: Failure;
  /** It belongs to the card in the slot, and ends when that is pulled. */
  readonly ofSlot: boolean;
}

export type SessionState =
  | { readonly at: "idle" }
  | Waiting
  | { readonly at: "reading" }
  /** The host chooses among the applications of this card. */
  | { readonly at: "choosing"; readonly card: ChipCard; readonly request: SessionRequest }
  | Paused
  | Typing
  | { readonly at: "deciding" }
  | { readonly at: "held"; readonly held: Held }
  | { readonly at: "completing"; readonly transaction: ContactTransaction; readonly host: HostAnswer };

export interface SessionCore {
  readonly on: SessionOn;
  readonly kernel: KernelConfiguration;
  readonly times: (typeof chipTimes)["quick"];
  state: SessionState;
  cancel: Cancel | undefined;
  /** 9F41 of the last transaction. */
  sequence: number;
  listensToMagstripe: boolean;
  last: CardProfile | undefined;
}

export function newSession(on: SessionOn): SessionCore {
  const { contactlessCvmLimit } = on;
  const limit = contactlessCvmLimit === undefined ? {} : { contactlessCvmLimit };
  const kernel = { ...kernelConfiguration(on.serialNumber, on.capabilities), ...limit, ...on.kernel };
  return { on, kernel, times: chipTimes[on.pace], state: { at: "idle" }, cancel: undefined, sequence: 0, listensToMagstripe: false, last: undefined };
}

/** States in which the device waits for somebody, not the other way round. */
const RESTING: readonly SessionState["at"][] = ["idle", "waiting", "typing"];

export function become(core: SessionCore, next: SessionState): void {
  core.cancel?.();
  core.cancel = undefined;
  core.state = next;
  core.on.panel.light("busy", !RESTING.includes(next.at));
}

/** One timer, which the next state clears. */
export function after(core: SessionCore, delayMs: number, act: () => void): void {
  core.cancel = core.on.clock.after(delayMs, act);
}

export function show(core: SessionCore, lines: readonly string[]): void {
  if (core.on.capabilities.display) core.on.panel.show(lines);
}

/** Back to idle, without a word. */
export function forget(core: SessionCore, card: "released" | "kept"): void {
  const { panel } = core.on;
  become(core, { at: "idle" });
  panel.wishFor(card === "released" && panel.card() !== undefined ? "removal" : undefined);
}

/** The transaction is over. The cardholder may take the card. */
export function over(core: SessionCore, outcome: CardOutcome): void {
  forget(core, "released");
  core.on.says(outcome);
}

export function failed(core: SessionCore, why: Failure): void {
  over(core, { is: "failed", why });
}

/** What the kernels are asked, with a number of its own for each transaction. */
export function kernelRequest(core: SessionCore, request: SessionRequest) {
  core.sequence += 1;
  return { ...request, unpredictableNumber: core.on.random.bytes(4), sequence: core.sequence };
}

/** Card data under their key; undefined where the keys are used up. */
export function sealed({ on }: SessionCore, data: readonly Tlv[], pin?: SealedBytes): SealedBytes | undefined {
  return on.seal === undefined ? on.secure.sealCard(on.sred, data, pin) : on.seal(data, pin);
}
