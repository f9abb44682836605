import {
  type ContactTransaction,
  complete as completeChip,
  type HostAnswer,
  isApproving,
  replaced,
} from "../../packages/sandbox/testbed/contact-kernel.ts";
import type { Tapped } from "../../packages/sandbox/testbed/contactless-kernel.ts";
import { ascii, fromAscii } from "../kit/bytes.ts";
import type { CompletedCard } from "./session-contract.ts";
import { after, become, type Held, over, type SessionCore } from "./session-core.ts";

/** Issuer authentication and second GENERATE AC; after a tap only the response code counts. */
export function complete(core: SessionCore, host: HostAnswer): boolean {
  const { state } = core;
  if (state.at !== "held") return false;
  const { held } = state;
  if (held.via === "tap") over(core, completedTap(held.tapped, host));
  else if (core.on.panel.card() === undefined) over(core, completedWithoutCard(held.transaction, host));
  else {
    const { transaction } = held;
    become(core, { at: "completing", transaction, host });
    after(core, core.times.lastMs, () => over(core, completed(transaction, host)));
  }
  return true;
}

/** Z3: unable to go online, declined (EMV Book 4, annex A6). */
const UNABLE: HostAnswer = { responseCode: fromAscii("Z3"), scripts: [] };

/** Result of a held card after an abort; an inserted card makes an AAC. */
export function declineHeld(core: SessionCore, held: Held): CompletedCard {
  if (held.via === "tap") return completedTap(held.tapped, UNABLE);
  return core.on.panel.card() === undefined
    ? completedWithoutCard(held.transaction, UNABLE)
    : completed(held.transaction, UNABLE);
}

function completed(before: ContactTransaction, host: HostAnswer): CompletedCard {
  const { verdict, transaction } = completeChip(before, host);
  return { is: "completed", via: "chip", verdict, profile: transaction.card.chip.profile, data: transaction.data };
}

/** A removed card makes no second cryptogram: a decline without one. */
export function completedWithoutCard(transaction: ContactTransaction, host: HostAnswer): CompletedCard {
  const data = transaction.data.filter(({ tag }) => !["9F26", "9F27", "9F10"].includes(tag));
  const { profile } = transaction.card.chip;
  return {
    is: "completed",
    via: "chip",
    verdict: "declined",
    profile,
    data: replaced(data, [{ tag: "8A", value: host.responseCode }]),
  };
}

/** The reader's result after a tap: only the host's response code, because the card is gone. */
function completedTap({ chip }: Tapped, { responseCode }: HostAnswer): CompletedCard {
  const verdict = isApproving(ascii(responseCode)) ? "approved" : "declined";
  return { is: "completed", via: "tap", verdict, profile: chip.profile, data: [{ tag: "8A", value: responseCode }] };
}
