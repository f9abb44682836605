import type { CardProfile } from "../../packages/sandbox/testbed/card-profile.ts";
import type { HostAnswer } from "../../packages/sandbox/testbed/contact-kernel.ts";
import type { AskedAmount } from "./request-text.ts";
import { choose, proceed } from "./session-chip.ts";
import { complete, declineHeld } from "./session-completion.ts";
import type { CompletedCard, SessionOn, SessionRequest, TypedItem, Ways } from "./session-contract.ts";
import { forget, newSession, type SessionCore, type SessionState } from "./session-core.ts";
import { askPin, keyPressed, typeItem } from "./session-typing.ts";
import { begin, cardShown, slotChanged } from "./session-waiting.ts";

/*
 * A card in a terminal of any protocol: presented, read, application chosen, PIN typed, cryptograms made, issuer's
 * answer delivered. A model's simulator drives the session and translates its outcomes into the device's protocol.
 */

/**
 * One card at a time. A call that does not fit changes nothing and returns false. Every accepted call ends with one
 * final outcome, except before `stop` or `reset`.
 */
export interface CardSession {
  /** `waiting` for a card; `held`: a card waits for the issuer's answer; `busy`: with a card; `typing`: at the keys. */
  at(): "idle" | "waiting" | "busy" | "typing" | "held" | "completing";
  /** The card presented last; `askPin` asks for its PIN. */
  lastCard(): CardProfile | undefined;
  /** Waits for a card, at most `limitMs`. Only when idle. */
  begin(request: SessionRequest, ways: Ways, limitMs: number): boolean;
  /**
   * Continues from the pause before the first cryptogram. `asksPin` false: the host has asked for the online PIN by
   * itself.
   */
  proceed(asksPin?: boolean): boolean;
  /** The host's choice of application, from 1. */
  choose(application: number): boolean;
  /** The issuer's answer for a held card. */
  complete(host: HostAnswer): boolean;
  /** Asks for the last card's PIN: when idle, in the pause, or while a card is held, which stays held. */
  askPin(request: AskedAmount, limitMs?: number): boolean;
  /** Has one item typed, for devices whose host asks for number and expiry separately. Only when idle. */
  type(item: TypedItem, limitMs: number): boolean;
  /** Reads every swipe while idle or waiting, in addition to the requested ways. */
  listenToMagstripe(on: boolean): void;
  /**
   * Ends the current work with "aborted", except a completion. Returns a held card, declined ("unable to go online");
   * devices differ in reporting it.
   */
  abort(): CompletedCard | undefined;
  /**
   * Ends the current work silently. An inserted card may be removed ("released"), or stays for further use ("kept").
   */
  stop(card: "released" | "kept"): void;
  /** As after a loss of power: `stop`, and forgets the last card. */
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

/** Listens to the panel for its whole life; a device has one session. */
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
