import type { ChipCard } from "../../packages/sandbox/testbed/card.ts";
import type { CardProfile } from "../../packages/sandbox/testbed/card-profile.ts";
import type {
  ContactTransaction,
  HostAnswer,
  KernelConfiguration,
} from "../../packages/sandbox/testbed/contact-kernel.ts";
import type { Tapped } from "../../packages/sandbox/testbed/contactless-kernel.ts";
import type { SealedBytes } from "../../packages/sandbox/testbed/sealed-bytes.ts";
import type { Tlv } from "../emv/tlv.ts";
import type { Cancel } from "../kit/clock.ts";
import { kernelConfiguration } from "./kernel-configuration.ts";
import { chipTimes } from "./pace.ts";
import type { CardOutcome, Failure, SessionOn, SessionRequest, Ways } from "./session-contract.ts";

/** A card after its first cryptogram or its tap, waiting for the issuer's answer. */
export type Held =
  | { readonly via: "chip"; readonly transaction: ContactTransaction }
  | { readonly via: "tap"; readonly tapped: Tapped };

export interface Waiting {
  readonly at: "waiting";
  readonly request: SessionRequest;
  readonly ways: Ways;
  /** By the monotonic clock. */
  readonly endsAt: number;
  /** This telephone has asked its holder already. */
  readonly isKnown: boolean;
}

/** Records read; PIN and first cryptogram are outstanding. */
export interface Paused {
  readonly at: "paused";
  readonly transaction: ContactTransaction;
  readonly request: SessionRequest;
}

/** An entry at the keys: PIN, number or choice. */
export interface Typing {
  readonly at: "typing";
  readonly typed: string;
  readonly least: number;
  readonly most: number;
  readonly show: (typed: string) => void;
  readonly entered: (typed: string) => void;
  /** ENTER without a digit, if allowed. */
  readonly bypassed?: () => void;
  /** The state to return to without an entry. */
  readonly back: Extract<SessionState, { at: "idle" | "paused" | "held" }>;
  readonly late: Failure;
  /** The entry belongs to the inserted card and ends with its removal. */
  readonly ofSlot: boolean;
}

export type SessionState =
  | { readonly at: "idle" }
  | Waiting
  | { readonly at: "reading" }
  /** The host chooses among this card's applications. */
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
  return {
    on,
    kernel,
    times: chipTimes[on.pace],
    state: { at: "idle" },
    cancel: undefined,
    sequence: 0,
    listensToMagstripe: false,
    last: undefined,
  };
}

/** States in which the device waits for a person. */
const RESTING: readonly SessionState["at"][] = ["idle", "waiting", "typing"];

export function become(core: SessionCore, next: SessionState): void {
  core.cancel?.();
  core.cancel = undefined;
  core.state = next;
  core.on.panel.light("busy", !RESTING.includes(next.at));
}

/** The only timer; the next state clears it. */
export function after(core: SessionCore, delayMs: number, act: () => void): void {
  core.cancel = core.on.clock.after(delayMs, act);
}

export function show(core: SessionCore, lines: readonly string[]): void {
  if (core.on.capabilities.display) core.on.panel.show(lines);
}

/** Returns to idle silently. */
export function forget(core: SessionCore, card: "released" | "kept"): void {
  const { panel } = core.on;
  become(core, { at: "idle" });
  panel.wishFor(card === "released" && panel.card() !== undefined ? "removal" : undefined);
}

/** The transaction is over; the cardholder may remove the card. */
export function over(core: SessionCore, outcome: CardOutcome): void {
  forget(core, "released");
  core.on.says(outcome);
}

export function failed(core: SessionCore, why: Failure): void {
  over(core, { is: "failed", why });
}

/** The kernels' request, with a sequence number for each transaction. */
export function kernelRequest(core: SessionCore, request: SessionRequest) {
  core.sequence += 1;
  return { ...request, unpredictableNumber: core.on.random.bytes(4), sequence: core.sequence };
}

/** Sealed card data; undefined: the keys are used up. */
export function sealed({ on }: SessionCore, data: readonly Tlv[], pin?: SealedBytes): SealedBytes | undefined {
  return on.seal === undefined ? on.secure.sealCard(on.sred, data, pin) : on.seal(data, pin);
}
