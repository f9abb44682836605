import { expect, test } from "vitest";
import { miuraM020 } from "../../../../drivers/miura-m020/driver.ts";
import { miuraM020Simulator } from "../../../../drivers/miura-m020/simulator.ts";
import type { CardData } from "../../../../src/card/card-data.ts";
import { findTag } from "../../../../src/emv/tlv.ts";
import { toHex } from "../../../../src/kit/hex.ts";
import { issuerAuthenticationData } from "../../../../src/testbed/arpc.ts";
import { chipCard } from "../../../../src/testbed/card.ts";
import { cryptogramKey } from "../../../../src/testbed/cryptogram.ts";
import { type CardProfile, deck } from "../../../../src/testbed/deck.ts";
import { openShop, SALE } from "../../../drivers/shop.ts";

/** How each card's sale goes when the issuer approves with a right ARPC. */
const ENDINGS: Readonly<Record<string, string>> = {
  "visa-contact": "online, then approved",
  "visa-contact-cvn18": "online, then approved",
  "mastercard-contact": "online, then approved",
  "contact-declines-after-approval": "online, then declined",
  "offline-declines": "declined-offline",
  "offline-approves": "approved-offline",
  "wrong-arpc": "online, then declined",
  "wrong-pin-once": "online, then approved",
  "blocked-application": "blocked",
};

/** Tag 91 of an approval, from what the driver hands on in clear. */
function authentication(profile: CardProfile, card: CardData): string {
  const { masterKey, scheme } = chipCard(profile);
  const value = (tag: string): Uint8Array => findTag(card.icc, tag) ?? new Uint8Array(0);
  const session = cryptogramKey(scheme, masterKey, value("9F36"), value("9F37"));
  return toHex(issuerAuthenticationData(scheme, { card: masterKey, session }, value("9F26"), true, "00"));
}

test.each(deck.map((profile) => [profile.name, profile] as const))("the driver sells with %s as its title says", async (name, profile) => {
  const shop = await openShop({ model: miuraM020, simulator: miuraM020Simulator, transport: "serial", card: name });
  await shop.does({ do: "identify" });
  await shop.does({ do: "idle" });
  const first = await shop.does(SALE);
  if (first.on !== "card") {
    expect(first.on === "no-card" && first.why).toBe(ENDINGS[name]);
    return;
  }
  const { decision } = first.card;
  if (decision !== "online") {
    expect(decision).toBe(ENDINGS[name]);
    return;
  }
  const final = await shop.does({
    do: "complete",
    issuer: { verdict: "approved", arc: "3030", authentication: authentication(profile, first.card), scripts: [] },
  });
  expect(`online, then ${final.on === "finished" ? final.verdict : final.on}`).toBe(ENDINGS[name]);
});
