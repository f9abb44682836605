import { PIN_TRIES } from "../../packages/sandbox/testbed/card.ts";
import type { CardProfile } from "../../packages/sandbox/testbed/card-profile.ts";
import { cardWithPan } from "../../packages/sandbox/testbed/deck.ts";
import type { SealedBytes } from "../../packages/sandbox/testbed/sealed-bytes.ts";
import { typedData } from "../../packages/sandbox/testbed/sred-layouts.ts";
import type { Key } from "./panel.ts";
import { type AskedAmount, amountOf } from "./request-text.ts";
import type { TypedItem } from "./session-contract.ts";
import {
  after,
  become,
  failed,
  forget,
  over,
  type SessionCore,
  type SessionState,
  sealed,
  show,
  type Typing,
} from "./session-core.ts";

/** Default limit of an entry. */
const TYPING_MS = 60_000;

/** ISO 9564-1, 9.1. */
const SHORTEST_PIN = 4;
const LONGEST_PIN = 12;

/** Starts an entry; `limitMs` overrides the default. */
export function startTyping(
  core: SessionCore,
  typing: Omit<Typing, "at" | "typed">,
  limitMs: number = TYPING_MS,
): void {
  become(core, { ...typing, at: "typing", typed: "" });
  after(core, limitMs, () => left(core, typing, typing.late));
  typing.show("");
}

/** Nothing entered: returns to the previous state; a held card stays held. */
function left(core: SessionCore, { back }: Pick<Typing, "back">, why: Typing["late"]): void {
  if (back.at === "idle") {
    failed(core, why);
    return;
  }
  become(core, back);
  core.on.panel.wishFor(undefined);
  core.on.says({ is: "failed", why });
}

/** A key of the device; without an entry only CANCEL counts. */
export function keyPressed(core: SessionCore, key: Key): void {
  const { state } = core;
  if (state.at !== "typing") {
    if (key === "CANCEL" && CANCELLED_BY_KEY.includes(state.at)) failed(core, "cancelled");
    return;
  }
  switch (key) {
    case "CANCEL":
      left(core, state, "cancelled");
      break;
    case "CLEAR":
      retype(core, state, "");
      break;
    case "ENTER":
      if (state.typed.length >= state.least) state.entered(state.typed);
      else if (state.typed === "") state.bypassed?.();
      break;
    default:
      if (state.typed.length < state.most) retype(core, state, state.typed + key);
  }
}

const CANCELLED_BY_KEY: readonly SessionState["at"][] = ["waiting", "reading", "deciding"];

function retype(core: SessionCore, state: Typing, typed: string): void {
  core.state = { ...state, typed };
  state.show(typed);
}

/** A PIN entry: its results and the state to return to. */
interface PinEntry extends Pick<Typing, "back" | "ofSlot"> {
  readonly entered: (typed: string) => void;
  /** The holder may enter nothing; then this follows. */
  readonly bypassed?: () => void;
  /** Remaining tries, if the card compares the PIN. */
  readonly triesLeft?: number;
}

export function startPinEntry(
  core: SessionCore,
  request: AskedAmount,
  { entered, bypassed, triesLeft, ...rest }: PinEntry,
  limitMs?: number,
): void {
  const { panel, says } = core.on;
  says({ is: "enter-pin", ...(triesLeft !== undefined && { triesLeft }) });
  const amount = amountOf(request);
  const title =
    triesLeft === undefined || triesLeft === PIN_TRIES
      ? "Enter PIN"
      : triesLeft === 1
        ? "Wrong PIN. Last try"
        : "Wrong PIN. Enter PIN";
  const typing = {
    least: SHORTEST_PIN,
    most: LONGEST_PIN,
    show: (typed: string) => show(core, [`Amount ${amount}`, title, "*".repeat(typed.length)]),
    entered: (typed: string) => {
      panel.wishFor(undefined);
      entered(typed);
    },
    ...rest,
    late: "pin-timeout",
    ...(bypassed !== undefined && {
      bypassed: () => {
        panel.wishFor(undefined);
        bypassed();
      },
    }),
  } as const;
  startTyping(core, typing, limitMs);
  panel.wishFor("pin");
}

/** Has a card's PIN typed and seals it. */
export function startPin(
  core: SessionCore,
  request: AskedAmount,
  card: CardProfile,
  { entered, ...rest }: Omit<PinEntry, "entered" | "triesLeft"> & { readonly entered: (pin: SealedBytes) => void },
  limitMs?: number,
): void {
  const seal = (typed: string): void => {
    const pin = core.on.secure.sealPin(typed, card.pan);
    if (pin === undefined) left(core, rest, "pin-key-used-up");
    else {
      core.on.says({ is: "pin-typed" });
      entered(pin);
    }
  };
  startPinEntry(core, request, { ...rest, entered: seal }, limitMs);
}

/** A PIN for the last card at the host's request; the previous state continues afterwards. */
export function askPin(core: SessionCore, request: AskedAmount, limitMs?: number): boolean {
  const { state, last } = core;
  if (last === undefined || (state.at !== "idle" && state.at !== "held" && state.at !== "paused")) return false;
  const entered = (pin: SealedBytes): void => {
    if (state.at === "idle") forget(core, "released");
    else become(core, state);
    core.on.says({ is: "pin", pin });
  };
  startPin(core, request, last, { back: state, ofSlot: state.at === "paused", entered }, limitMs);
  return true;
}

const ITEMS = {
  number: { title: "Card number", least: 12, most: 19 },
  expiry: { title: "Expiry MMYY", least: 4, most: 4 },
} as const;

/** Has one item typed, for hosts that ask for items separately. */
export function typeItem(core: SessionCore, item: TypedItem, limitMs: number): boolean {
  if (core.state.at !== "idle") return false;
  startItem(core, item, limitMs, (digits) => over(core, { is: "typed", item, digits }));
  return true;
}

function startItem(core: SessionCore, item: TypedItem, limitMs: number, entered: (digits: string) => void): void {
  const { title, least, most } = ITEMS[item];
  const typing = {
    least,
    most,
    show: (typed: string) => show(core, [title, typed]),
    entered,
    back: { at: "idle" },
    late: "timeout",
    ofSlot: false,
  } as const;
  startTyping(core, typing, limitMs);
  core.on.panel.wishFor(item);
}

/** Has number and expiry typed. `endsAt` by the monotonic clock. */
export function typeNumber(core: SessionCore, endsAt: number): void {
  const leftMs = (): number => Math.max(0, endsAt - core.on.clock.monotonic());
  startItem(core, "number", leftMs(), (number) => {
    core.on.panel.wishFor(undefined);
    startItem(core, "expiry", leftMs(), (expiry) => typedCard(core, number, expiry));
  });
}

function typedCard(core: SessionCore, number: string, expiry: string): void {
  const data = typedData(core.on.sred, number, expiry);
  if (data === undefined) throw new RangeError(`${core.on.sred.deviceType} has no layout for numbers that are typed`);
  const sred = sealed(core, data);
  const profile = cardWithPan(number);
  if (profile === undefined) failed(core, "unreadable");
  else if (sred === undefined) failed(core, "card-key-used-up");
  else {
    core.last = profile;
    over(core, { is: "read", via: "keyed", decision: "online", profile, data, sred });
  }
}
