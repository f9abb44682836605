import { rmSync } from "node:fs";
import net from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { controlAddress } from "../../src/control/address.ts";
import { type Counters, openCounters } from "./counters.ts";
import { type Run, runProgram } from "./program.ts";
import { openShop, type Shop } from "./shop.ts";
import type { Till } from "./till.ts";

/** An id that only the gateway's back office can tell; the ledger's own row is looked up where it counts. */
const SOME_ID = "8ac7a4a18f2b6cd1018f2b8a3c5e0f41";

let shop: Shop;
let till: Till;
let counters: Counters;
/** What the ledger held of the refund before the gateway went away. */
let refundId: string;

/**
 * Four payments of which the bridge knows nothing, each on a channel that answers another query, and a gateway that is
 * gone.
 */
beforeAll(async () => {
  shop = await openShop({ terminals: 4, automatic: true });
  till = await shop.till();
  counters = openCounters(shop, () => till);
  const { sandbox } = shop;
  await Promise.all([
    counters.pay({ reference: "room", card: "visa-contact", at: 1, type: "PREAUTHORIZATION", amount: "100.00" }),
    counters.pay({ reference: "sold", card: "mastercard-contact", at: 2 }),
  ]);
  await loseSale("lost sale", 3);
  await loseSale("lost at night", 4);
  await sandbox.fault({ on: { paymentType: "CP" }, do: "drop-before" });
  await till.client.capture({ of: "room", reference: "lost capture", amount: "60.00" });
  await sandbox.fault({ on: { paymentType: "RF" }, do: "hide-from-query", delayMs: 600_000 });
  await sandbox.fault({ on: { paymentType: "RF" }, do: "drop-after" });
  await till.client.refund({ of: "sold", reference: "unknown refund", amount: "5.00" });
  await sandbox.faultsUsed();
  for (const reference of ["lost sale", "lost at night", "lost capture", "unknown refund"])
    await till.state(reference, "RESOLVING");
  refundId = (await shop.rowsOf("unknown refund"))[0]?.id ?? "";
  await sandbox.kill();
  // The shortest unknown window that the configuration takes has to go by.
  const youngest = Date.parse((await till.client.get({ reference: "unknown refund" })).createdAt) + 1_000;
  await new Promise((later) => setTimeout(later, Math.max(0, youngest - Date.now())));
});
afterAll(() => shop.close());

async function loseSale(reference: string, at: number): Promise<void> {
  await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "drop-before" });
  await counters.payAnd({ reference, card: "visa-contactless", at }, async () => {
    await shop.sandbox.faultsUsed();
    await till.client.cancel({ reference });
  });
}

const resolve = (reference: string, ...more: readonly string[]): Promise<Run> =>
  runProgram("resolve", reference, "--reason", "looked up in the back office", "--data", shop.dataDir, ...more);
const openSchema = z.object({
  payments: z.array(z.looseObject({ reference: z.string(), state: z.string(), owed: z.string(), mend: z.string() })),
});
const open = async () =>
  openSchema.parse(
    JSON.parse((await runProgram("payments", "list", "--open", "--json", "--data", shop.dataDir)).out.join("\n")),
  ).payments;

describe("payments list --open", () => {
  it("shows what nobody knows anything about, what is owed, and what a person can do", async () => {
    const payments = await open();
    expect(payments.map(({ reference, state }) => `${reference} ${state}`).toSorted()).toEqual([
      "lost at night RESOLVING",
      "lost capture RESOLVING",
      "lost sale RESOLVING",
      "unknown refund RESOLVING",
    ]);
    for (const { owed, mend } of payments) {
      expect(owed).toContain("word of what the gateway booked");
      expect(mend).toContain("posbridge resolve");
    }
    const { code, out } = await runProgram("payments", "list", "--open", "--data", shop.dataDir);
    expect(code).toBe(0);
    expect(out.join("\n")).toContain("lost capture");
  });
});

describe("resolve", () => {
  it("is refused where it cannot be right, with 1, or where it is wrong usage, with 2, in one line", async () => {
    const refusals = await Promise.all([
      resolve("nobody's", "--as", "reversed"),
      resolve("sold", "--as", "reversed"),
      resolve("lost sale", "--as", "approved", "--gateway-id", SOME_ID),
      resolve("lost sale", "--as", "approved"),
      resolve("lost sale", "--as", "forgotten"),
    ]);
    expect(refusals.map(({ code }) => code)).toEqual([1, 1, 1, 2, 2]);
    expect(refusals.map(({ err }) => err)).toEqual([
      [expect.stringContaining('no payment has the reference "nobody\'s"')],
      [expect.stringContaining('reference "sold": it is final (APPROVED), and nothing of it is open')],
      [expect.stringContaining("told that it is not approved")],
      [expect.stringContaining("--gateway-id")],
      [expect.stringContaining("--as")],
    ]);
    expect(refusals.flatMap(({ out }) => out)).toEqual([]);
  });

  it("closes a sale as reversed: it ends FAILED with operator-reversed, and the register is told", async () => {
    const { code, out, err } = await resolve("lost sale", "--as", "reversed");
    expect({ code, out, err }).toEqual({
      ...{ code: 0, out: [expect.stringMatching(/^payment lost sale of register register-1 is FINAL /)] },
      err: ["the gateway was asked once more and did not answer; what was said counts all the same"],
    });
    expect(await till.state("lost sale", "FINAL")).toMatchObject({
      decision: "not-approved",
      outcome: "FAILED",
      reason: { code: "operator-reversed" },
    });
  });

  it("closes a capture as declined, and a refund as approved under the gateway's id", async () => {
    expect(await resolve("lost capture", "--as", "declined")).toMatchObject({ code: 0 });
    expect(await till.state("lost capture", "FINAL")).toMatchObject({
      decision: "not-approved",
      outcome: "DECLINED",
      reason: { code: "operator-declined" },
    });
    const { code, out } = await resolve(
      "unknown refund",
      "--register",
      "register-1",
      "--as",
      "approved",
      "--gateway-id",
      refundId,
      "--json",
    );
    expect(code).toBe(0);
    expect(JSON.parse(out.join("\n"))).toMatchObject({
      reference: "unknown refund",
      state: "FINAL",
      outcome: "APPROVED",
      gateway: "no-answer",
    });
    expect(await till.state("unknown refund", "FINAL")).toMatchObject({
      decision: "approved",
      outcome: "APPROVED",
      approvedAmount: "5.00",
    });
    expect(await till.until("sold", "refunded", ({ refundedAmount }) => refundedAmount !== undefined)).toMatchObject({
      refundedAmount: "5.00",
    });
  });

  it("is said once: what is closed stays closed", async () => {
    const { code, err } = await resolve("lost sale", "--as", "declined");
    expect({ code, err }).toEqual({ code: 1, err: [expect.stringContaining("an operator has closed it already")] });
    expect((await open()).map(({ reference }) => reference)).toEqual(["lost at night"]);
  });

  it("is kept with who said it, when and why, also after the bridge was killed", async () => {
    await shop.restart();
    const { out } = await runProgram("payments", "show", "unknown refund", "--json", "--data", shop.dataDir);
    expect(JSON.parse(out.join("\n"))).toMatchObject({
      outcome: "APPROVED",
      resolved: {
        as: "approved",
        reason: "looked up in the back office",
        by: expect.stringMatching(/./),
        gatewayId: refundId,
        at: expect.stringMatching(/Z$/),
      },
    });
  });
});

describe("resolve without a daemon", () => {
  it("needs the configuration, because the gateway is asked first", async () => {
    await shop.kill();
    expect(await resolve("lost at night", "--as", "reversed")).toMatchObject({
      code: 2,
      out: [],
      err: [expect.stringContaining("--config FILE")],
    });
  });

  it("says how to find out whether a word counts that the daemon took with it", async () => {
    const address = controlAddress(shop.dataDir);
    rmSync(address, { force: true });
    const dying = net.createServer((socket) => socket.once("data", () => socket.destroy()));
    await new Promise<void>((there) => dying.listen(address, there));
    const { code, err } = await resolve("lost at night", "--as", "reversed");
    await new Promise((closed) => dying.close(closed));
    const look = `whether the word counts: posbridge payments show 'lost at night' --data ${shop.dataDir}`;
    expect({ code, err }).toEqual({
      code: 1,
      err: [expect.stringContaining(`closed the connection without an answer; ${look}`)],
    });
  });

  it("refuses what a daemon refuses, and writes nothing of it", async () => {
    const exported = async () => (await runProgram("payments", "export", "--data", shop.dataDir)).out;
    const before = await exported();
    const refusals = [
      await resolve("nobody's", "--as", "reversed", "--config", shop.configFile),
      await resolve("sold", "--as", "reversed", "--config", shop.configFile),
      await resolve("lost at night", "--as", "approved", "--gateway-id", SOME_ID, "--config", shop.configFile),
    ];
    expect(refusals.map(({ code, err }) => ({ code, err }))).toEqual([
      { code: 1, err: [expect.stringContaining('no payment has the reference "nobody\'s"')] },
      { code: 1, err: [expect.stringContaining("it is final (APPROVED)")] },
      { code: 1, err: [expect.stringContaining("told that it is not approved")] },
    ]);
    expect(await exported()).toEqual(before);
  });

  it("closes the payment, and the next start tells its register", async () => {
    const { code, out, err } = await resolve("lost at night", "--as", "reversed", "--config", shop.configFile);
    expect(err.at(-1)).toContain("asked once more and did not answer");
    expect({ code, out }).toEqual({
      code: 0,
      out: ["payment lost at night of register register-1 is FINAL FAILED (operator-reversed)"],
    });
    expect(await open()).toEqual([]);
    await shop.start();
    till = await shop.till();
    const lost = await till.client.get({ reference: "lost at night" });
    expect(lost).toMatchObject({
      state: "FINAL",
      decision: "not-approved",
      outcome: "FAILED",
      reason: { code: "operator-reversed" },
    });
  });
});

describe("once the gateway is back", () => {
  it("what the operator said is what the ledger says, and the bridge sells on", async () => {
    await shop.sandbox.start();
    till = await shop.till();
    expect(await counters.pay({ reference: "next", card: "mastercard-contact" })).toMatchObject({
      outcome: "APPROVED",
    });
    expect(await shop.contradictions()).toEqual([]);
    await expect(till.client.refund({ of: "sold", reference: "beyond", amount: "7.35" })).rejects.toMatchObject({
      code: "invalid-amount",
    });
    await till.client.capture({ of: "room", reference: "captured after all" });
    expect(await till.settled("captured after all")).toMatchObject({ outcome: "APPROVED", approvedAmount: "100.00" });
    expect(await shop.contradictions()).toEqual([]);
  });
});
