import type { ChipCard } from "../../packages/sandbox/testbed/card.ts";
import { magstripeData, tappedMagstripeData } from "../../packages/sandbox/testbed/card-tracks.ts";
import { tap } from "../../packages/sandbox/testbed/contactless-kernel.ts";
import type { Wish } from "./panel.ts";
import { amountOf } from "./request-text.ts";
import { cardPulled, readChip } from "./session-chip.ts";
import type { SessionRequest, Ways } from "./session-contract.ts";
import {
  after,
  become,
  failed,
  forget,
  kernelRequest,
  over,
  type SessionCore,
  sealed,
  show,
  type Waiting,
} from "./session-core.ts";
import { typeNumber } from "./session-typing.ts";

/** From tap to cryptogram; a real card takes up to half a second. */
const TAP_MS = 40;

export function begin(core: SessionCore, request: SessionRequest, ways: Ways, limitMs: number): boolean {
  if (core.state.at !== "idle") return false;
  const { clock, panel } = core.on;
  const endsAt = clock.monotonic() + limitMs;
  const inserted = panel.card();
  if (ways.chip && inserted !== undefined) readChip(core, inserted, request);
  else if (ways.keyed && !ways.chip && !ways.tap && !ways.magstripe) typeNumber(core, endsAt);
  else waitForCard(core, { at: "waiting", request, ways, endsAt, isKnown: false });
  return true;
}

function waitForCard(core: SessionCore, waiting: Waiting): void {
  const { panel, clock } = core.on;
  become(core, waiting);
  after(core, Math.max(0, waiting.endsAt - clock.monotonic()), () => failed(core, "timeout"));
  show(core, [`Amount ${amountOf(waiting.request)}`, waiting.isKnown ? "See phone, tap again" : wordsOf(waiting.ways)]);
  // The wish is renewed, because the customer has served the earlier one.
  panel.wishFor(undefined);
  panel.wishFor(wishOf(core, waiting.ways));
  cardShown(core);
}

function wishOf({ on }: SessionCore, { chip, tap: taps }: Ways): Wish {
  if (on.panel.card() !== undefined) return "removal";
  return chip || taps ? "card" : "swipe";
}

function wordsOf({ chip, tap: taps, magstripe }: Ways): string {
  if (taps) return chip ? "Present or insert card" : "Present card";
  return chip ? "Insert card" : magstripe ? "Swipe card" : "";
}

/** A card was inserted or removed. */
export function slotChanged(core: SessionCore): void {
  const { panel, says } = core.on;
  const card = panel.card();
  if (card !== undefined || panel.wish() === "removal") panel.wishFor(undefined);
  says({ is: card === undefined ? "removed" : "inserted" });
  const { state } = core;
  if (card === undefined) cardPulled(core);
  else if (state.at === "waiting" && state.ways.chip) readChip(core, card, state.request);
  if (core.state === state && state.at === "waiting" && card === undefined) panel.wishFor(wishOf(core, state.ways));
}

/** A card was tapped or swiped; ways that the device does not wait for are ignored. */
export function cardShown(core: SessionCore): void {
  const { state } = core;
  const { panel } = core.on;
  const shown = panel.shown();
  if (shown?.way === "tap" && state.at === "waiting" && state.ways.tap) {
    panel.takeShown();
    tapped(core, shown.card, state);
  } else if (shown?.way === "swipe" && takesMagstripe(core)) {
    panel.takeShown();
    swiped(core, shown.card);
  }
}

function takesMagstripe({ state, listensToMagstripe }: SessionCore): boolean {
  if (state.at === "waiting") return listensToMagstripe || state.ways.magstripe === true;
  return state.at === "idle" && listensToMagstripe;
}

function tapped(core: SessionCore, card: ChipCard, waiting: Waiting): void {
  if (card.profile.asksFirst && !waiting.isKnown) {
    core.on.says({ is: "see-phone" });
    waitForCard(core, { ...waiting, isKnown: true });
    return;
  }
  core.on.panel.wishFor(undefined);
  show(core, ["Please wait"]);
  become(core, { at: "reading" });
  after(core, TAP_MS, () => readTap(core, card, waiting.request));
}

function readTap(core: SessionCore, card: ChipCard, request: SessionRequest): void {
  const { profile } = card;
  if (profile.tap === "insert-instead") {
    failed(core, "insert-instead");
    return;
  }
  const asked = kernelRequest(core, request);
  const isMagstripe = profile.tap === "magstripe";
  const result = tap(card, isMagstripe ? 0 : core.on.memory.nextAtc(profile.name), asked, core.kernel);
  const sred = sealed(core, isMagstripe ? tappedMagstripeData(profile) : result.data);
  if (sred === undefined) {
    failed(core, "card-key-used-up");
    return;
  }
  core.last = profile;
  const read = { is: "read", via: "tap", decision: result.decision, profile, data: result.data, sred } as const;
  if (result.decision !== "online") {
    over(core, read);
    return;
  }
  become(core, { at: "held", held: { via: "tap", tapped: result } });
  core.on.says(read);
}

function swiped(core: SessionCore, { profile }: ChipCard): void {
  const { state } = core;
  const data = magstripeData(profile);
  const sred = sealed(core, data);
  if (sred === undefined) {
    if (state.at === "waiting" && state.ways.magstripe) failed(core, "card-key-used-up");
    return;
  }
  core.last = profile;
  if (state.at === "waiting" && state.ways.magstripe) forget(core, "released");
  else if (state.at === "idle") core.on.panel.wishFor(undefined);
  core.on.says({ is: "read", via: "magstripe", decision: "online", profile, data, sred });
}
