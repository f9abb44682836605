import { describe, expect, it } from "vitest";
import { Secret } from "../../src/kit/secret.ts";
import { bridgeKeyOf, hasSigned } from "../../src/register/pairing/keys.ts";
import { bridgeText } from "../../src/register/pairing/texts.ts";
import { type DocumentShop, openDocumentShop } from "./document-shop.ts";
import { BRIDGE_KEY } from "./fake-registers.ts";
import { pageKey } from "./page-key.ts";
import { errorOf } from "./talk.ts";

const HERE = { origin: "https://till.example", address: "ws://127.0.0.1:7717" };
const SQUATTER = "ws://127.0.0.1:7718";
const challenge = Buffer.alloc(32, 9).toString("base64url");

/** A page that a technician has paired. */
async function paired(shop: DocumentShop) {
  const own = pageKey(21);
  const { page, answer } = await asked(shop, own);
  const approved = shop.registers.approve({ code: codeIn(answer.result), by: "anna" });
  expect(approved).toMatchObject({ ok: true, value: { register: "till-9", origin: HERE.origin } });
  return { own, page };
}

async function asked(shop: DocumentShop, own: ReturnType<typeof pageKey>) {
  const page = shop.page();
  await page.call("session.challenge", { challenge: own.challenge });
  return { page, answer: await page.call("session.pair", { name: "till-9", key: own.key, secret: own.secret }) };
}

const codeIn = (result: object | undefined): string =>
  result !== undefined && "code" in result ? String(result.code) : "";

describe("a program that took the port of the bridge", () => {
  it("learns from a paired page nothing that opens a session at the bridge: the signature names its own port", async () => {
    const shop = openDocumentShop();
    const { own } = await paired(shop);
    const relayed = own.sign({ ...HERE, address: SQUATTER });
    expect(errorOf(await shop.page().call("session.open", { key: own.key, signature: relayed }))).toMatchObject({
      is: "unauthorized",
      path: "signature",
    });
    const right = own.sign(HERE);
    expect(await shop.page().call("session.open", { key: own.key, signature: right })).toMatchObject({
      result: { register: "till-9" },
    });
  });

  it("cannot answer the page's challenge, by a key of its own or by the bridge's answer at another port", async () => {
    const { result } = await openDocumentShop().page().call("session.challenge", { challenge });
    const signature = result !== undefined && "signature" in result ? String(result["signature"]) : "";
    const seen = (address: string) => bridgeText({ challenge, nonce: "n0", address });
    expect(hasSigned(BRIDGE_KEY.public, seen(HERE.address), signature)).toBe(true);
    expect(hasSigned(BRIDGE_KEY.public, seen(SQUATTER), signature)).toBe(false);
    const other = bridgeKeyOf(new Secret(Buffer.alloc(32, 8).toString("base64url")));
    expect(hasSigned(BRIDGE_KEY.public, seen(HERE.address), other?.sign(seen(HERE.address)) ?? "")).toBe(false);
  });

  it("cannot use what a page signed on another socket", async () => {
    const shop = openDocumentShop();
    const { own } = await paired(shop);
    const signature = own.sign(HERE, "n1");
    expect(errorOf(await shop.page().call("session.open", { key: own.key, signature }))).toMatchObject({
      is: "unauthorized",
      path: "signature",
    });
  });
});

describe("a page that asks to be paired", () => {
  it("opens nothing before a technician has approved its code", async () => {
    const shop = openDocumentShop();
    const own = pageKey(21);
    const { page } = await asked(shop, own);
    expect(errorOf(await page.call("session.open", { key: own.key, signature: own.sign(HERE) }))).toMatchObject({
      is: "unauthorized",
      path: "key",
    });
    expect(shop.registers.approve({ code: "222222", by: "anna" })).toMatchObject({ ok: false });
  });

  it("keeps no other page from asking for longer than its code lasts, and is one at a time", async () => {
    const shop = openDocumentShop();
    await asked(shop, pageKey(21));
    expect(errorOf((await asked(shop, pageKey(22))).answer)).toMatchObject({ is: "too-many-requests" });
    await shop.counter.clock.advance(5 * 60_000);
    expect(shop.registers.pending()).toEqual([]);
    expect((await asked(shop, pageKey(23))).answer.error).toBeUndefined();
  });
});
