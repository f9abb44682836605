import { applicationsOf, type ChipCard, PIN_TRIES, withApplication } from "../../packages/sandbox/testbed/card.ts";
import {
  type ContactTransaction,
  decideFirst,
  offlinePinTyped,
  pinBypassed,
  selectApplication,
} from "../../packages/sandbox/testbed/contact-kernel.ts";
import type { SealedBytes } from "../../packages/sandbox/testbed/sealed-bytes.ts";
import { completedWithoutCard } from "./session-completion.ts";
import type { SessionRequest } from "./session-contract.ts";
import { after, become, failed, kernelRequest, over, type SessionCore, sealed, show } from "./session-core.ts";
import { startPin, startPinEntry, startTyping } from "./session-typing.ts";

/** A contact chip, from insertion to first cryptogram. */
export function readChip(core: SessionCore, card: ChipCard, request: SessionRequest): void {
  core.on.panel.useCard();
  core.on.panel.wishFor(undefined);
  show(core, ["Please wait"]);
  become(core, { at: "reading" });
  after(core, core.times.selectMs, () => read(core, card, request));
}

function read(core: SessionCore, card: ChipCard, request: SessionRequest): void {
  const { blocked, chip, choice, chooses, others } = card.profile;
  core.last = card.profile;
  if (blocked) failed(core, "blocked");
  else if (chip !== "works") unreadable(core);
  else if (others.length === 0) select(core, card, request);
  else if (chooses === "merchant") select(core, withApplication(card, choice), request);
  else askToChoose(core, card, request);
}

function unreadable(core: SessionCore): void {
  if (!core.on.keepsUnreadable) {
    failed(core, "unreadable");
    return;
  }
  become(core, { at: "idle" });
  core.on.says({ is: "failed", why: "unreadable" });
}

/** The holder chooses an application by its number, or the host chooses. */
function askToChoose(core: SessionCore, card: ChipCard, request: SessionRequest): void {
  const applications = applicationsOf(card.profile).map(({ label }) => label);
  if (core.on.hostChooses) {
    become(core, { at: "choosing", card, request });
    core.on.says({ is: "choose", applications });
    return;
  }
  core.on.says({ is: "choose", applications });
  startTyping(core, {
    least: 1,
    most: 1,
    show: (typed) =>
      show(core, [
        "Select application",
        ...applications.map((label, at) => `${typed === String(at + 1) ? ">" : " "}${at + 1} ${label}`),
      ]),
    entered: (typed) => {
      if (applications[Number(typed) - 1] === undefined) return;
      core.on.panel.wishFor(undefined);
      select(core, withApplication(card, Number(typed)), request);
    },
    back: { at: "idle" },
    late: "timeout",
    ofSlot: true,
  });
  core.on.panel.wishFor("application");
}

export function choose(core: SessionCore, application: number): boolean {
  const { state } = core;
  if (state.at !== "choosing" || applicationsOf(state.card.profile)[application - 1] === undefined) return false;
  select(core, withApplication(state.card, application), state.request);
  return true;
}

function select(core: SessionCore, card: ChipCard, request: SessionRequest): void {
  const asked = kernelRequest(core, request);
  const transaction = selectApplication(card, core.on.memory.nextAtc(card.profile.name), asked, core.kernel);
  if (!core.on.pausesBeforeCryptogram) {
    verify(core, transaction, request);
    return;
  }
  become(core, { at: "paused", transaction, request });
  core.on.says({ is: "selected", profile: card.profile, data: transaction.data });
}

export function proceed(core: SessionCore, asksPin: boolean): boolean {
  const { state } = core;
  if (state.at !== "paused") return false;
  // The host may have asked for the online PIN; an offline PIN is always asked for here.
  if (asksPin || state.transaction.verification.method !== "online-pin") verify(core, state.transaction, state.request);
  else decide(core, state.transaction, undefined);
  return true;
}

function verify(core: SessionCore, transaction: ContactTransaction, request: SessionRequest): void {
  switch (transaction.verification.method) {
    case "online-pin":
      startPin(core, request, transaction.card.chip.profile, {
        back: { at: "idle" },
        ofSlot: true,
        entered: (pin) => decide(core, transaction, pin),
        ...bypass(core, transaction, request),
      });
      break;
    case "offline-pin":
      verifyByCard(core, transaction, request);
      break;
    case "signature":
    case "none":
    case "failed":
      decide(core, transaction, undefined);
      break;
  }
}

function bypass(
  core: SessionCore,
  transaction: ContactTransaction,
  request: SessionRequest,
): { readonly bypassed?: () => void } {
  return core.on.allowsPinBypass
    ? { bypassed: () => verify(core, pinBypassed(transaction, core.kernel), request) }
    : {};
}

/** The card compares the PIN and counts: the holder types until the PIN is right or blocked. */
function verifyByCard(core: SessionCore, transaction: ContactTransaction, request: SessionRequest): void {
  const { memory, says } = core.on;
  const { name } = transaction.card.chip.profile;
  const left = PIN_TRIES - memory.wrongPins(name);
  const typed = (pin: string): void => {
    const compared = offlinePinTyped(transaction, pin, left, core.kernel);
    memory.setWrongPins(name, PIN_TRIES - compared.triesLeft);
    if (compared.mayTryAgain) {
      verifyByCard(core, transaction, request);
      return;
    }
    const { verification } = compared.transaction;
    if (verification.method === "offline-pin") {
      says({ is: "pin-typed" });
      decide(core, compared.transaction, undefined);
    } else verify(core, compared.transaction, request);
  };
  // With a blocked PIN nobody is asked.
  if (left <= 0) typed("");
  else
    startPinEntry(core, request, {
      back: { at: "idle" },
      ofSlot: true,
      triesLeft: left,
      entered: typed,
      ...bypass(core, transaction, request),
    });
}

function decide(core: SessionCore, transaction: ContactTransaction, pin: SealedBytes | undefined): void {
  become(core, { at: "deciding" });
  show(core, ["Please wait"]);
  after(core, core.times.firstMs, () => decided(core, transaction, pin));
}

function decided(core: SessionCore, asked: ContactTransaction, pin: SealedBytes | undefined): void {
  const { transaction, decision } = decideFirst(asked);
  const { data } = transaction;
  const sred = sealed(core, data, pin);
  if (sred === undefined) {
    failed(core, "card-key-used-up");
    return;
  }
  const outcome = {
    is: "read",
    via: "chip",
    decision,
    profile: transaction.card.chip.profile,
    data,
    sred,
    ...(pin && { pin }),
  } as const;
  if (decision !== "online") {
    over(core, outcome);
    return;
  }
  become(core, { at: "held", held: { via: "chip", transaction } });
  core.on.says(outcome);
}

/** The card was removed from the slot. A held card is missed only at its completion. */
export function cardPulled(core: SessionCore): void {
  const { state } = core;
  switch (state.at) {
    case "idle":
    case "held":
    case "waiting":
      break;
    case "typing":
      if (state.ofSlot) failed(core, "pulled");
      break;
    case "reading":
    case "choosing":
    case "paused":
    case "deciding":
      failed(core, "pulled");
      break;
    case "completing":
      over(core, completedWithoutCard(state.transaction, state.host));
      break;
  }
}
