import type { CardProfile } from "../testbed/card-profile.ts";
import type { HostAnswer } from "../testbed/contact-kernel.ts";
import type { AskedAmount } from "./request-text.ts";
import { choose, proceed } from "./session-chip.ts";
import { complete, declineHeld } from "./session-completion.ts";
import type { CompletedCard, SessionOn, SessionRequest, TypedItem, Ways } from "./session-contract.ts";
import { forget, newSession, type SessionCore, type SessionState } from "./session-core.ts";
import { askPin, keyPressed, typeItem } from "./session-typing.ts";
import { begin, cardShown, slotChanged } from "./session-waiting.ts";

/*
 * What happens to a card in a terminal, whatever the terminal's protocol: presented, read, its application chosen, its PIN typed, its cryptograms asked for, the issuer's
 * answer handed to it. A model's simulator drives it and puts what it says into its own words.
 */

/**
 * One card at a time. A call that does not fit what the session does changes nothing and gives false: a model answers that in its own way. Every call that was taken ends
 * with one outcome that is not a progress, unless `stop` or `reset` came first; a PIN that is asked for in the pause may end together with what it was asked for.
 */
export interface CardSession {
  /** `waiting` for a card; `held`: a card waits for the issuer's answer; `busy`: with a card; `typing`: at the keys. */
  at(): "idle" | "waiting" | "busy" | "typing" | "held" | "completing";
  /** The card that was tapped, swiped or inserted last: a PIN that is asked for is for its number. */
  lastCard(): CardProfile | undefined;
  /** Waits for a card, `limitMs` at most. Only when idle. */
  begin(request: SessionRequest, ways: Ways, limitMs: number): boolean;
  /** On from the pause before the first cryptogram. `asksPin` false: a PIN that the card's rules want was asked for otherwise. */
  proceed(asksPin?: boolean): boolean;
  /** The host's choice among applications, 1 is the first. */
  choose(application: number): boolean;
  /** The issuer's answer to a card that is held. */
  complete(host: HostAnswer): boolean;
  /** A PIN for the last card: when idle, in the pause, or while a card is held, which it stays. */
  askPin(request: AskedAmount, limitMs?: number): boolean;
  /** Has one item typed, for devices whose host asks for them one by one. Only when idle. */
  type(item: TypedItem, limitMs: number): boolean;
  /** Reads a magstripe whenever one is drawn through while it is idle or waits, beside what it waits for. */
  listenToMagstripe(on: boolean): void;
  /**
   * Ends what runs with "aborted"; what is being completed ends by itself. A card that was held is declined ("unable to go online"), and that is what comes back: devices
   * differ in whether they tell it.
   */
  abort(): CompletedCard | undefined;
  /** Ends what runs without a word. A card in the slot may be taken by its holder ("released"), or is to be used on ("kept"). */
  stop(card: "released" | "kept"): void;
  /** As after a loss of power: `stop`, and the last card is forgotten. */
  reset(): void;
}

const AT: Readonly<Record<SessionState["at"], ReturnType<CardSession["at"]>>> = {
  idle: "idle",
  waiting: "waiting",
  reading: "busy",
  choosing: "busy",
  paused: "busy",
  deciding: "busy",
  typing: "typing",
  held: "held",
  completing: "completing",
};

/** Listens to the panel from here on: a device has one session for as long as it lives. */
export function createCardSession(on: SessionOn): CardSession {
  const core = newSession(on);
  on.panel.onSlot(() => slotChanged(core));
  on.panel.onShown(() => cardShown(core));
  on.panel.onKey((key) => keyPressed(core, key));
  const stop = (card: "released" | "kept"): void => forget(core, card);
  return {
    at: () => AT[core.state.at],
    lastCard: () => core.last,
    begin: (request, ways, limitMs) => begin(core, request, ways, limitMs),
    proceed: (asksPin = true) => proceed(core, asksPin),
    choose: (application) => choose(core, application),
    complete: (host) => complete(core, host),
    askPin: (request, limitMs) => askPin(core, request, limitMs),
    type: (item, limitMs) => typeItem(core, item, limitMs),
    listenToMagstripe: (listens) => {
      core.listensToMagstripe = listens;
      if (listens) cardShown(core);
    },
    abort: () => abort(core),
    stop,
    reset: () => {
      stop("released");
      core.listensToMagstripe = false;
      core.last = undefined;
    },
  };
}

function abort(core: SessionCore): CompletedCard | undefined {
  const { state } = core;
  const { panel, says } = core.on;
  switch (state.at) {
    case "completing":
      return undefined;
    case "idle":
      if (panel.wish() === "card" || panel.wish() === "swipe") panel.wishFor(undefined);
      return undefined;
    case "held":
      forget(core, "released");
      return declineHeld(core, state.held);
    case "waiting":
    case "reading":
    case "choosing":
    case "paused":
    case "deciding":
    case "typing":
      break;
  }
  const behind = state.at === "typing" && state.back.at === "held" ? state.back.held : undefined;
  forget(core, "released");
  says({ is: "failed", why: "aborted" });
  return behind && declineHeld(core, behind);
}
