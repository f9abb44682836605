import { describe, expect, test } from "vitest";
import { openSandboxStore } from "../../../packages/sandbox/gateway/ledger/store.ts";
import type { OutgoingRequest } from "../../../packages/sandbox/gateway/outgoing.ts";
import { CARD, checkoutBench, RESULT_URL } from "./checkouts-bench.ts";

/** A bench, and what its gateway called. */
function remembering(store = openSandboxStore(":memory:")) {
  const sent: OutgoingRequest[] = [];
  const bench = checkoutBench({
    store,
    send: (request) => {
      sent.push(request);
      return Promise.resolve({ ok: true, status: 200 });
    },
  });
  return { ...bench, sent };
}

describe("a merchant who does not ask what came of a checkout", () => {
  test.each(["payment", "registration"])(
    "is called at shopperResultUrl after 29 minutes, once, about a %s",
    async (kind) => {
      const { checkout, submit, status, clock, minutes, sent } = remembering();
      const id = await checkout(kind === "registration" ? { createRegistration: "true" } : undefined);
      await submit(id, CARD, kind);
      await clock.advance(29 * 60_000 - 1);
      expect(sent).toEqual([]);
      await clock.advance(1);
      const url = `${RESULT_URL}&id=${id}&resourcePath=${encodeURIComponent(`/v1/checkouts/${id}/${kind}`)}`;
      expect(sent).toMatchObject([{ method: "GET", url, body: "" }]);
      expect((await status(id, kind)).code).toBe("000.100.110");
      await minutes(60);
      expect(sent).toHaveLength(1);
    },
  );

  test("is called in time to read it, whenever the shopper pressed the button", async () => {
    const { checkout, submit, minutes, sent } = remembering();
    const id = await checkout();
    await minutes(20);
    await submit(id);
    await minutes(9);
    expect(sent).toHaveLength(1);
  });

  test("is called about a try after the one that he read", async () => {
    const { checkout, submit, status, minutes, sent } = remembering();
    const id = await checkout();
    await submit(id, { ...CARD, "card.number": "4000000000000002" });
    await status(id);
    await submit(id);
    await minutes(29);
    expect(sent).toHaveLength(1);
  });

  test("is called after a restart too", async () => {
    const store = openSandboxStore(":memory:");
    const before = remembering(store);
    await before.submit(await before.checkout());
    before.sandbox.stop();
    const after = remembering(store);
    await after.minutes(29);
    expect([before.sent.length, after.sent.length]).toEqual([0, 1]);
  });
});

describe("a merchant is not called", () => {
  test("who asked, even before there was a result", async () => {
    const { checkout, submit, status, minutes, sent } = remembering();
    const id = await checkout();
    await submit(id, { paymentBrand: "PAYPAL" });
    expect((await status(id)).code).toBe("000.200.000");
    await minutes(30);
    expect(sent).toEqual([]);
  });

  test("whose shopper never pressed the button", async () => {
    const { checkout, minutes, sent } = remembering();
    await checkout();
    await minutes(30);
    expect(sent).toEqual([]);
  });
});
