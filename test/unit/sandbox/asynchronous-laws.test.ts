import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bankAnswers } from "../../../packages/sandbox/gateway/asynchronous/bank-answers.ts";
import type { OutgoingRequest } from "../../../packages/sandbox/gateway/outgoing.ts";
import { runsOf } from "../../support/dose.ts";
import { redirectOf, type ShopperBench, shopperBench } from "./asynchronous-bench.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const LAPSE_MS = 30 * MINUTE_MS;

const SAID: Readonly<Record<string, string>> = {
  yes: "000.100.110",
  no: "800.100.152",
  "no-funds": "800.100.155",
  cancel: "100.396.101",
};
const SAID_LATER: Readonly<Record<string, string>> = { "later-yes": "000.100.110", "later-no": "100.397.102" };
const NEVER_SAID = "100.395.501";

/** What a shopper and the time do, in any order. */
type Step = { readonly answer: string } | { readonly waitMs: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ answer: fc.constantFrom(...bankAnswers, "nonsense", "") }),
  fc.record({ waitMs: fc.constantFrom(1, 10 * MINUTE_MS, LAPSE_MS, DAY_MS, 3 * DAY_MS) }),
);

/** The same in a few lines: only the first answer in time counts. */
function expectedAfter(steps: readonly Step[]): string {
  let now = 0;
  let decided: { readonly code: string; readonly due: number } | undefined;
  for (const each of steps) {
    if ("waitMs" in each) now += each.waitMs;
    else if (decided === undefined && now < LAPSE_MS) {
      const [code, later] = [SAID[each.answer], SAID_LATER[each.answer]];
      if (code !== undefined) decided = { code, due: now };
      if (later !== undefined) decided = { code: later, due: now + 3 * DAY_MS };
    }
  }
  if (decided === undefined) return now < LAPSE_MS ? "000.200.000" : NEVER_SAID;
  return now < decided.due ? "800.400.500" : decided.code;
}

test("whatever a shopper does and in whatever order, his first answer in time decides, once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const own = shopperBench();
      const ordered = await own.order();
      const seen: Step[] = [];
      for (const each of steps) {
        if ("waitMs" in each) await own.clock.advance(each.waitMs);
        else expect((await own.answer(redirectOf(ordered), { answer: each.answer })).status).toBeLessThan(400);
        seen.push(each);
        expect((await own.status(ordered.body.id)).code).toBe(expectedAfter(seen));
      }
      expect(own.sandbox.ledger()).toHaveLength(1);
    }),
    { numRuns: runsOf(50, 150) },
  );
});

describe("the shop hears of it at notificationUrl", () => {
  /** A payment whose shop wants to be told, and what it was told. */
  async function told(): Promise<{
    readonly own: ShopperBench;
    readonly requests: readonly OutgoingRequest[];
    answer(answer: string): Promise<unknown>;
  }> {
    const requests: OutgoingRequest[] = [];
    const send = (request: OutgoingRequest): Promise<{ ok: true; status: number }> => {
      requests.push(request);
      return Promise.resolve({ ok: true, status: 200 });
    };
    const own = shopperBench({ send, orderlyWebhooks: true });
    const redirect = redirectOf(await own.order({ notificationUrl: "https://shop.example/told" }));
    const answer = async (said: string): Promise<void> => {
      await own.answer(redirect, { answer: said });
      await own.answer(redirect, { answer: "yes" });
      await own.clock.advance(MINUTE_MS);
    };
    return { own, requests, answer };
  }
  const codes = (requests: readonly OutgoingRequest[]): readonly string[] =>
    requests.map(({ body }) => /[0-9]{3}\.[0-9]{3}\.[0-9]{3}/.exec(body)?.[0] ?? body);

  test("once when its shopper answered, however often he did", async () => {
    const { requests, answer } = await told();
    await answer("cancel");
    expect(codes(requests)).toEqual(["100.396.101"]);
  });

  test("once when nobody answered", async () => {
    const { own, requests } = await told();
    await own.clock.advance(LAPSE_MS + MINUTE_MS);
    expect(codes(requests)).toEqual([NEVER_SAID]);
  });

  test("once the money came that took days", async () => {
    const { own, requests, answer } = await told();
    await answer("later-yes");
    expect(codes(requests)).toEqual([]);
    await own.clock.advance(3 * DAY_MS);
    expect(codes(requests)).toEqual(["000.100.110"]);
  });
});
