import { expect } from "vitest";
import {
  type AuthorizationRequest,
  createIssuer,
  type Issuer,
  type Verification,
} from "../../packages/sandbox/testbed/issuer.ts";
import type { PosEntryMode } from "../../packages/sandbox/testbed/issuer-contract.ts";
import type { CardData } from "../../src/card/card-data.ts";
import type { CollectRequest, Command } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import { iccDataRequestOf, issuerResponseOf } from "../../src/emv/online.ts";
import type { Pair } from "./models.ts";
import { SALE, type Shop } from "./shop.ts";

/*
 * What the payment machine does around a driver, as short as can be: ask the issuer about a card, and tell the card.
 */

/** A collect in every way that a terminal may have, unless it is told otherwise. */
export function collect(changes: Partial<CollectRequest> = {}): Extract<Command, { readonly do: "collect" }> {
  return { do: "collect", request: { ...SALE.request, interfaces: ["chip", "contactless", "stripe"], ...changes } };
}

export const REFUND = collect({ transactionType: "20" });
export const KEYED = collect({ interfaces: ["keyed"] });

const ENTRY_MODES: Readonly<Record<CardData["interface"], PosEntryMode>> = {
  chip: "ICC",
  "contactless-chip": "NFC_ICC",
  "contactless-magstripe": "NFC_MAGSTRIPE",
  magstripe: "MAGSTRIPE",
  keyed: "MANUAL",
};

/** The time of the shop's clock. */
const NOW = Date.UTC(2026, 0, 15, 10, 15, 0);

export function issuerOfDeck(): Issuer {
  const kept = new Map<string, string>();
  return createIssuer({
    memory: { remembered: (key) => kept.get(key), remember: (key, record) => void kept.set(key, record) },
  });
}

/** What the gateway would hand to the issuer of this card. */
export function authorization(
  deviceType: string,
  card: CardData,
  changes: Partial<AuthorizationRequest> = {},
): AuthorizationRequest {
  const { sred, pin } = card;
  if (sred === undefined) throw new Error("a card without SRED data");
  return {
    amount: SALE.request.amount,
    currencyNumeric: "978",
    credit: false,
    entryMode: ENTRY_MODES[card.interface],
    deviceType,
    sred: { data: sred.data.reveal(), ksn: sred.ksn },
    pin: pin && { data: pin.data.reveal(), ksn: pin.ksn },
    icc: card.icc.length === 0 ? undefined : iccDataRequestOf(card.icc),
    panSequenceNumber: undefined,
    now: NOW,
    ...changes,
  };
}

/** The card's answer by what the issuer verified: approved where it has nothing against it. */
export function responseOf({ refusal, conclude }: Verification): IssuerResponse {
  const approved = refusal === undefined;
  return issuerResponseOf(
    approved ? "approved" : "declined",
    conclude({ approved, arc: refusal?.arc ?? "00", variation: undefined }),
  );
}

export function cardIn(notice: Notice): CardData {
  if (notice.on !== "card") throw new Error(`no card but ${JSON.stringify(notice)}`);
  return notice.card;
}

/** Identified, idle, and ready for a collect. */
export async function ready(shop: Shop): Promise<void> {
  await shop.does({ do: "identify" });
  await shop.does({ do: "idle" });
}

/** A device that is in order says so. */
export async function provenReady(shop: Shop, { facts, can }: Pick<Pair, "facts" | "can">): Promise<void> {
  const keys = facts.keys === "told" ? { sred: true, ...(can.onlinePin && { pin: true }) } : {};
  expect(await shop.does({ do: "identify" })).toMatchObject({ on: "ready", keys });
  expect(await shop.does({ do: "idle" })).toMatchObject({ on: "done" });
}

/** The prompts of one command, in order. */
export function promptsOf(shop: Shop, n?: number): readonly string[] {
  return shop.notices.flatMap((notice) =>
    notice.on === "prompt" && (n === undefined || notice.n === n) ? [notice.prompt] : [],
  );
}
