import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { SocketFacts } from "../../src/register/pairing/introduction.ts";
import { hasSigned } from "../../src/register/pairing/keys.ts";
import { PAIRING_LIMITS } from "../../src/register/pairing/pending.ts";
import { bridgeText, codeOf, codeText } from "../../src/register/pairing/texts.ts";
import { LIMITS } from "../../src/register/rpc/limits.ts";
import type { LimitTexts } from "../../src/register/tokens/token-row.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { AT, fakePayments } from "./fake-payments.ts";
import { BRIDGE_KEY, fakeRegisters } from "./fake-registers.ts";
import { fakeTechnician } from "./fake-technician.ts";
import { type PageKey, pageKey } from "./page-key.ts";
import { errorOf, type Talk, talkTo } from "./talk.ts";

const PAGE = { origin: "https://till.example", address: "ws://127.0.0.1:7717" };
const askedSchema = z.object({ code: z.string(), expiresAt: z.string() });

/** A bridge with sockets of pages and programs, and a technician beside them. */
function shop(known: readonly string[] = [], limits: readonly LimitTexts[] = []) {
  const clock = createVirtualClock(Date.parse(AT));
  const own = fakeRegisters(clock, known, limits);
  const payments = fakePayments();
  const socket = (at: Partial<SocketFacts> = {}): Talk =>
    talkTo({ payments, technician: fakeTechnician(), registers: own, at }, clock, () => clock.settle());
  const ask = async (talk: Talk, { key, secret, challenge }: PageKey, name = "till-7") => {
    await talk.call("session.challenge", { challenge });
    return talk.call("session.pair", { name, key, secret });
  };
  return { clock, ...own, socket, page: () => socket({ place: PAGE }), ask };
}

/** A page whose key a technician has approved. */
async function pairedShop() {
  const all = shop();
  const [one, key] = [all.page(), pageKey(9)];
  const { code } = askedSchema.parse((await all.ask(one, key)).result);
  expect(all.registers.approve({ code, by: "root" })).toMatchObject({ ok: true });
  const open = (talk: Talk, signature: string) => talk.call("session.open", { key: key.key, signature });
  return { ...all, one, key, open };
}

const told = ({ frames }: Talk, method: string) =>
  frames.filter((frame) => frame.method === method).map((f) => f.params);

describe("pairing a register", () => {
  it("shows the same code on both sides, and after the approval a session opens by the page's signature", async () => {
    const { registers, page, ask, events } = shop();
    const [open, key] = [page(), pageKey(9)];
    const asked = askedSchema.parse((await ask(open, key)).result);
    expect(registers.pending()).toEqual([
      {
        ...{ code: asked.code, name: "till-7", origin: PAGE.origin, address: PAGE.address, from: "127.0.0.1:50000" },
        ...{ expiresAt: "2026-03-01T10:05:00.000Z", known: false },
      },
    ]);
    const approved = registers.approve({ code: asked.code, by: "root", scopes: ["payments"] });
    expect(approved).toEqual({ ok: true, value: { register: "till-7", scopes: ["payments"], origin: PAGE.origin } });
    expect(told(open, "session.paired")).toEqual([{ register: "till-7", scopes: ["payments"] }]);
    const { result } = await open.call("session.open", { key: key.key, signature: key.sign(PAGE) });
    expect(result).toMatchObject({ register: "till-7", scopes: ["payments"] });
    expect(errorOf(await open.call("terminals.list")).is).toBeUndefined();
    expect(events.map(({ on }) => on)).toEqual(["pairing-asked", "pairing-approved"]);
    expect(JSON.stringify([events, open.events])).not.toContain(asked.code);
  });

  it("makes the code of both keys, the secret and the bridge's proof, and of nothing that one side chooses last", async () => {
    const { page } = shop();
    const [open, { key, secret, challenge }] = [page(), pageKey(9)];
    const { signature } = z
      .object({ signature: z.string() })
      .parse((await open.call("session.challenge", { challenge })).result);
    expect(hasSigned(BRIDGE_KEY.public, bridgeText({ challenge, nonce: "n0", address: PAGE.address }), signature)).toBe(
      true,
    );
    const { code } = askedSchema.parse((await open.call("session.pair", { name: "till-7", key, secret })).result);
    const text = codeText({ key, bridge: BRIDGE_KEY.public, secret, signature });
    expect(code).toBe(codeOf(createHash("sha256").update(text).digest()));
  });

  it("refuses a secret or a key that was not committed to before the bridge signed", async () => {
    const { page, registers } = shop();
    const [open, { key, secret, challenge }, other] = [page(), pageKey(9), pageKey(10)];
    expect(errorOf(await open.call("session.pair", { name: "a", key, secret }))).toMatchObject({
      is: "not-allowed",
      path: "secret",
    });
    await open.call("session.challenge", { challenge });
    expect(errorOf(await open.call("session.pair", { name: "a", key: other.key, secret })).is).toBe("not-allowed");
    expect(registers.pending()).toEqual([]);
  });

  it("takes one at a time, and says to the second when it may ask again", async () => {
    const { page, ask, clock, registers } = shop();
    const [first, second] = [page(), page()];
    await ask(first, pageKey(9));
    await clock.advance(1_000);
    const { error } = await ask(second, pageKey(10));
    expect(error?.data).toMatchObject({ code: "too-many-requests", advice: "retry" });
    expect(error?.message).toContain("ask again in 299 s");
    first.connection.closed();
    expect(registers.pending()).toEqual([]);
    expect((await ask(second, pageKey(10))).error).toBeUndefined();
  });

  it("uses a code once, and knows no other", async () => {
    const { page, ask, registers } = shop();
    const { code } = askedSchema.parse((await ask(page(), pageKey(9))).result);
    expect(registers.approve({ code: "222222", by: "root" })).toMatchObject({ refusal: { code: "not-found" } });
    expect(registers.approve({ code: ` ${code.toLowerCase()}`, by: "root" }).ok).toBe(true);
    expect(registers.approve({ code, by: "root" })).toMatchObject({ refusal: { code: "not-found" } });
    expect(registers.refuse({ code, by: "root" }).ok).toBe(false);
  });

  it("ends after five minutes, tells the register, and then its socket has 15 seconds", async () => {
    const { page, ask, registers, clock } = shop();
    const open = page();
    const { code } = askedSchema.parse((await ask(open, pageKey(9))).result);
    await clock.advance(PAIRING_LIMITS.codeMs - 1);
    expect(open.closes).toEqual([]);
    await clock.advance(1);
    expect(told(open, "session.pairingRefused")).toEqual([{ reason: "expired" }]);
    expect(registers.approve({ code, by: "root" }).ok).toBe(false);
    await clock.advance(LIMITS.sessionMs);
    expect(open.closes).toEqual([{ code: 1008, reason: "no session.open" }]);
    expect(clock.pending()).toBe(0);
  });

  it("tells the register that it was refused, and that key opens nothing", async () => {
    const { page, ask, registers } = shop();
    const [open, key] = [page(), pageKey(9)];
    const { code } = askedSchema.parse((await ask(open, key)).result);
    expect(registers.refuse({ code, by: "root" })).toEqual({
      ok: true,
      value: { name: "till-7", origin: PAGE.origin },
    });
    expect(told(open, "session.pairingRefused")).toEqual([{ reason: "refused" }]);
    const refused = await open.call("session.open", { key: key.key, signature: key.sign(PAGE) });
    expect(errorOf(refused)).toMatchObject({ is: "unauthorized", path: "key" });
  });

  it("takes five requests of one origin in ten minutes, and those of another nevertheless", async () => {
    const { page, socket, ask, clock } = shop();
    const asking = async (open: Talk, number: number) => {
      const asked = await ask(open, pageKey(number));
      open.connection.closed();
      return asked.error?.message;
    };
    for (let count = 0; count < PAIRING_LIMITS.requests; count += 1) expect(await asking(page(), 9)).toBeUndefined();
    expect(await asking(page(), 9)).toContain("at most 5 requests of one origin in 10 minutes: ask again in 600 s");
    expect(await asking(socket(), 9)).toBeUndefined();
    await clock.advance(PAIRING_LIMITS.withinMs);
    expect(await asking(page(), 9)).toBeUndefined();
  });

  it("does not count what was approved: a shop may have many tills of one page", async () => {
    const { page, ask, registers } = shop();
    for (let till = 1; till <= PAIRING_LIMITS.requests + 2; till += 1) {
      const { code } = askedSchema.parse((await ask(page(), pageKey(20 + till), `till-${till}`)).result);
      expect(registers.approve({ code, by: "root" }).ok).toBe(true);
    }
  });

  it("lets no refused code count again, under another name", async () => {
    const { page, registers } = shop();
    const [open, { key, secret, challenge }] = [page(), pageKey(9)];
    await open.call("session.challenge", { challenge });
    const { code } = askedSchema.parse((await open.call("session.pair", { name: "kiosk", key, secret })).result);
    expect(registers.refuse({ code, by: "root" }).ok).toBe(true);
    expect(errorOf(await open.call("session.pair", { name: "office", key, secret }))).toMatchObject({
      is: "not-allowed",
      path: "secret",
    });
    expect(registers.pending()).toEqual([]);
  });

  it("keeps the lowest refund limits of a name that has some, unless the technician says others", async () => {
    const { page, ask, registers } = shop([], [{ payment: "50.00", day: "200.00" }, { day: "100.00" }]);
    const { code } = askedSchema.parse((await ask(page(), pageKey(9))).result);
    expect(registers.approve({ code, by: "root" })).toMatchObject({
      value: { refundLimits: { payment: "50.00", day: "100.00" } },
    });
    const next = askedSchema.parse((await ask(page(), pageKey(10))).result);
    expect(registers.approve({ code: next.code, by: "root", refundLimits: { day: "300.00" } })).toMatchObject({
      value: { refundLimits: { day: "300.00" } },
    });
  });

  it("tells the technician that the name is a register's already", async () => {
    const { page, ask, registers } = shop(["till-7"]);
    await ask(page(), pageKey(9));
    expect(registers.pending()).toMatchObject([{ name: "till-7", known: true }]);
  });

  it("is for pages and for programs of this machine: a program of another machine gets none", async () => {
    const { socket, ask } = shop();
    expect((await ask(socket(), pageKey(9))).error).toBeUndefined();
    const far = await ask(socket({ isLocal: false }), pageKey(10));
    expect(errorOf(far)).toMatchObject({ is: "not-allowed" });
    expect(far.error?.message).toContain("posbridge tokens create");
  });

  it("refuses names and keys that are none", async () => {
    const { page } = shop();
    const open = page();
    const { key, secret } = pageKey(9);
    expect(errorOf(await open.call("session.pair", { name: "4111111111111111", key, secret })).is).toBe(
      "card-number-in-text",
    );
    expect(errorOf(await open.call("session.pair", { name: "a\u202eb", key, secret })).path).toBe("name");
    const point = Buffer.alloc(65, 4).toString("base64url");
    expect(errorOf(await open.call("session.pair", { name: "a", key: point, secret }))).toMatchObject({ path: "key" });
  });

  it("proves itself at most four times on one socket", async () => {
    const open = shop().page();
    const { challenge } = pageKey(9);
    for (let count = 0; count < 4; count += 1)
      expect((await open.call("session.challenge", { challenge })).error).toBeUndefined();
    expect(errorOf(await open.call("session.challenge", { challenge })).is).toBe("too-many-requests");
  });
});

describe("a paired key", () => {
  it("opens a session on every later socket", async () => {
    const { page, open, key, one } = await pairedShop();
    one.connection.closed();
    expect((await open(page(), key.sign(PAGE))).result).toMatchObject({ register: "till-7" });
  });

  it.each([
    ["another key's signature", {}, () => pageKey(10).sign(PAGE)],
    ["a signature for an earlier socket's nonce", {}, () => pageKey(9).sign(PAGE, "n1")],
    [
      "a signature for another port, which a program there passes on",
      {},
      () => pageKey(9).sign({ ...PAGE, address: "ws://127.0.0.1:7718" }),
    ],
    ["a signature for localhost", {}, () => pageKey(9).sign({ ...PAGE, address: "ws://localhost:7717" })],
    ["a signature for another origin", {}, () => pageKey(9).sign({ ...PAGE, origin: "https://evil.example" })],
    [
      "a name that leads elsewhere",
      { place: { ...PAGE, address: "wss://localhost:7717" } },
      () => pageKey(9).sign({ ...PAGE, address: "wss://localhost:7717" }),
    ],
  ] as const)("is refused with %s", async (_, at, signature) => {
    const { socket, open } = await pairedShop();
    const refused = await open(socket({ place: PAGE, ...at }), signature());
    expect(errorOf(refused)).toMatchObject({ is: "unauthorized", path: "signature" });
  });

  it("is refused at another origin's page, even with that origin signed", async () => {
    const { socket, open, key } = await pairedShop();
    const place = { ...PAGE, origin: "https://other.example" };
    const refused = await open(socket({ place }), key.sign(place));
    expect(errorOf(refused)).toMatchObject({ is: "unauthorized", path: "key" });
  });

  it("closes the socket after three wrong signatures, as wrong tokens do", async () => {
    const { page, open } = await pairedShop();
    const socket = page();
    for (let count = 0; count < LIMITS.wrongTokens; count += 1) await open(socket, pageKey(10).sign(PAGE));
    expect(socket.closes).toEqual([{ code: 1008, reason: "wrong tokens" }]);
  });

  it("is not paired twice, and does not go with a token", async () => {
    const { page, ask, key } = await pairedShop();
    expect(errorOf(await ask(page(), key))).toMatchObject({ is: "not-allowed", path: "key" });
    const both = await page().call("session.open", { token: "till-token", key: key.key, signature: key.sign(PAGE) });
    expect(errorOf(both)).toMatchObject({ is: "invalid-params", path: "key" });
    expect(errorOf(await page().call("session.open", { key: key.key }))).toMatchObject({ path: "signature" });
  });
});

describe("a technician's session", () => {
  it("sees who waits, approves and refuses; it grants no technician, and beyond sales and refunds only what it has", async () => {
    const { socket, page, ask } = shop();
    const technician = socket();
    await technician.call("session.open", { token: "desk-token" });
    const { code } = askedSchema.parse((await ask(page(), pageKey(9))).result);
    expect((await technician.call("registers.pending")).result).toMatchObject({ pending: [{ code, name: "till-7" }] });
    const more = await technician.call("registers.approve", { code, scopes: ["technician"] });
    expect(errorOf(more)).toMatchObject({ is: "forbidden", path: "scopes" });
    const foreign = await technician.call("registers.approve", { code, scopes: ["payments", "payments:all"] });
    expect(errorOf(foreign)).toMatchObject({ is: "forbidden", path: "scopes" });
    expect((await technician.call("registers.approve", { code, scopes: ["payments"] })).result).toEqual({
      ...{ register: "till-7", scopes: ["payments"], origin: PAGE.origin },
    });
  });

  it("is needed: a register may do none of it", async () => {
    const till = shop().socket();
    await till.call("session.open", { token: "till-token" });
    for (const method of ["registers.pending", "registers.approve", "registers.refuse"])
      expect(errorOf(await till.call(method, { code: "222222" })).is).toBe("forbidden");
    expect(errorOf(await till.call("session.pair", {})).is).toBe("not-allowed");
  });
});
