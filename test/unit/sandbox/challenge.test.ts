import { describe, expect, test } from "vitest";
import { challenged } from "../../../packages/sandbox/gateway/asynchronous/challenge.ts";
import { CHALLENGED_CARD, linkOf, redirectOf, shopperBench } from "./asynchronous-bench.ts";

const IF_YES = { resultCode: "000.100.110", issuer: {} };
const sent = (fields: Readonly<Record<string, string>>): ReadonlyMap<string, string> => new Map(Object.entries(fields));

describe("what becomes of a challenge", () => {
  test.each([
    [3, { code: "1234" }, { is: "over", answer: IF_YES }],
    [1, { code: " 12 34 " }, { is: "over", answer: IF_YES }],
    [3, { code: "4321" }, { is: "wrong", triesLeft: 2 }],
    [1, { code: " " }, { is: "unanswered" }],
    [2, { code: "12345" }, { is: "wrong", triesLeft: 1 }],
    [1, { code: "0000" }, { is: "over", answer: { resultCode: "100.380.401" } }],
    [3, { answer: "cancel" }, { is: "over", answer: { resultCode: "100.390.124" } }],
    [3, { answer: "cancel", code: "1234" }, { is: "over", answer: { resultCode: "100.390.124" } }],
    [3, {}, { is: "unanswered" }],
    [3, { answer: "yes" }, { is: "unanswered" }],
  ] as const)("with %i tries left and %o: %o", (triesLeft, fields, result) => {
    expect(challenged({ ifYes: IF_YES, triesLeft }, sent(fields))).toEqual(result);
  });
});

describe("the holder of a card that 3D Secure asks", () => {
  test("is sent to a page, and the right code makes the payment", async () => {
    const own = shopperBench();
    const ordered = await own.orderByCard();
    expect(ordered).toMatchObject({ status: 200, code: "000.200.000", body: { paymentBrand: "VISA" } });
    expect(redirectOf(ordered).url).toContain("/shopper/challenge/");
    const page = await own.answer(redirectOf(ordered));
    expect(page.body).toContain(`ending in ${CHALLENGED_CARD.slice(-4)}`);
    expect(page.body).not.toContain(CHALLENGED_CARD);
    expect(await own.answer(redirectOf(ordered), { code: "1234" })).toMatchObject({ status: 303 });
    expect(await own.status(ordered.body.id)).toMatchObject({
      status: 200,
      code: "000.100.110",
      body: { amount: "12.34", threeDSecure: { eci: "05" } },
    });
  });

  test("may mistype the code twice", async () => {
    const own = shopperBench();
    const redirect = redirectOf(await own.orderByCard());
    const mistyped = async (code: string): Promise<string> =>
      (await own.open((await own.answer(redirect, { code })).headers["location"] ?? "")).body;
    expect(await mistyped("1111")).toContain("You have 2 more tries");
    expect(await mistyped("2222")).toContain("You have one more try");
    expect(await own.answer(redirect, { code: "1234" })).toMatchObject({ status: 303 });
  });

  test("loses no try by loading the page again after a wrong code, nor by an empty field", async () => {
    const own = shopperBench();
    const redirect = redirectOf(await own.orderByCard());
    const wrong = await own.answer(redirect, { code: "1111" });
    expect(wrong).toMatchObject({ status: 303, headers: { location: linkOf(redirect) } });
    for (const page of [await own.open(linkOf(redirect)), await own.answer(redirect, { code: "" })])
      expect(page.body).toContain("You have 2 more tries");
  });

  test("is not authenticated after three wrong codes, and the right one comes too late then", async () => {
    const own = shopperBench();
    const ordered = await own.orderByCard();
    for (const code of ["1111", "2222", "3333", "1234"]) await own.answer(redirectOf(ordered), { code });
    expect(await own.status(ordered.body.id)).toMatchObject({ status: 400, code: "100.380.401" });
    expect((await own.status(ordered.body.id)).body["threeDSecure"]).toBeUndefined();
  });

  test("may cancel", async () => {
    const own = shopperBench();
    const ordered = await own.orderByCard();
    await own.answer(redirectOf(ordered), { answer: "cancel" });
    expect(await own.status(ordered.body.id)).toMatchObject({ code: "100.390.124" });
  });

  test("may never come back", async () => {
    const own = shopperBench();
    const ordered = await own.orderByCard();
    await own.clock.advance(30 * 60_000);
    expect(await own.status(ordered.body.id)).toMatchObject({ code: "100.396.103" });
  });

  test("gets a page that the shop may show in a frame, which the page of a bank does not allow", async () => {
    const own = shopperBench();
    const challenge = await own.answer(redirectOf(await own.orderByCard()));
    const bank = await own.answer(redirectOf(await own.order()));
    expect(challenge.headers["content-security-policy"]).not.toContain("frame-ancestors");
    expect(bank.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  });

  test("may store the card besides, which is stored once he is authenticated", async () => {
    const own = shopperBench();
    const ordered = await own.orderByCard({ createRegistration: "true" });
    expect(ordered.body.registrationId).toBeUndefined();
    await own.answer(redirectOf(ordered), { code: "1234" });
    expect((await own.status(ordered.body.id)).body.registrationId).toMatch(/^[0-9a-f]{32}$/);
  });
});
