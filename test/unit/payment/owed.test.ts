import { describe, expect, test } from "vitest";
import { type Owed, owed } from "../../../src/payment/owed.ts";
import { approval, approved, authorizing, chipCard, followUp, KINDS, refusal, Story, sale, silence, storedCardSale, tap } from "../../support/sale.ts";

const owes = <D extends Owed["do"]>({ payment }: Story, deed: D): readonly Extract<Owed, { do: D }>[] =>
  owed(payment).filter((one): one is Extract<Owed, { do: D }> => one.do === deed);
const shown = (story: Story): readonly string[] => owes(story, "release").map(({ show }) => show);
const AAC = { on: "finished", verdict: "declined", chip: {} } as const;

describe("the last words on a terminal", () => {
  const refund = (): Story => new Story(KINDS["REFUND"]).meets({ on: "leased" }).meets({ on: "card", card: { ...chipCard, decision: "declined-offline" } });

  test("are those of the decision", () => {
    expect(shown(approved())).toEqual(["approved"]);
    expect(shown(authorizing().answer(refusal()).meets(AAC))).toEqual(["not-approved"]);
    // The host has approved it, and the card has not: the booking is being taken back.
    expect(shown(authorizing().answer(approval()).meets(AAC))).toEqual(["not-approved"]);
    expect(shown(refund().answer(approval()))).toEqual(["approved"]);
    expect(shown(refund().answer(refusal()))).toEqual(["not-approved"]);
  });

  test("wait for a refund's answer, and do not wait for what only queries can tell", () => {
    expect(shown(refund())).toEqual([]);
    expect(shown(refund().answer(silence))).toEqual(["undecided"]);
  });

  test("are not said as long as the card may be asked for once more", () => {
    const story = authorizing().answer(refusal("wrong-pin"));
    expect(shown(story)).toEqual([]);
    expect(shown(story.meets(AAC))).toEqual([]);
  });

  test("are said once to a terminal that is still held", () => {
    expect(shown(approved().meets({ on: "released" }))).toEqual([]);
  });
});

test("the answer for a card that waits is given up in time to ask for it once more; any other request has its whole time", () => {
  const slow = { ...sale, rules: { ...sale.rules, hostAnswerMs: 100_000, hostWaitMs: 60_000 } };
  const deadlines = (story: Story): readonly number[] => owes(story, "post").map(({ deadlineMs }) => deadlineMs);
  expect(deadlines(authorizing(slow))).toEqual([45_000]);
  expect(deadlines(authorizing({ ...slow, rules: { ...slow.rules, hostAnswerMs: 30_000 } }))).toEqual([30_000]);
  expect(deadlines(approved(slow))).toEqual([100_000]);
  expect(deadlines(new Story({ ...storedCardSale, rules: slow.rules }).meets({ on: "woken" }))).toEqual([100_000]);
});

describe("a request that its register has given a time", () => {
  const expiresAt = sale.at + 30_000;
  const waked = (story: Story): readonly number[] => owes(story, "wake").map(({ at }) => at);

  test("is looked at when that is over as long as it waits for its terminal, and not once it was asked for or called off", () => {
    const waiting = (): Story => new Story({ ...sale, expiresAt });
    expect(waked(waiting())).toEqual([expiresAt]);
    expect(waked(waiting().meets({ on: "leased" }))).not.toContain(expiresAt);
    expect(waked(waiting().meets({ on: "cancel" }))).toEqual([]);
  });

  test("is too old then, and is not once its card was asked for", () => {
    const late = (story: Story): string | undefined => story.meets({ on: "woken" }, 60_000).payment.ending?.reason;
    expect(late(new Story({ ...sale, expiresAt }))).toBe("request-expired");
    expect(late(new Story({ ...sale, expiresAt }).meets({ on: "queued" }))).toBe("request-expired");
    expect(late(new Story({ ...sale, expiresAt }).meets({ on: "leased" }))).toBeUndefined();
  });

  test("and needs no terminal is looked at until it is under way", () => {
    const begun = new Story({ ...storedCardSale, expiresAt }).meets({ on: "woken" });
    expect([waked(new Story({ ...storedCardSale, expiresAt })), waked(begun)]).toEqual([[expiresAt], []]);
  });
});

describe("what a cancelled payment calls its terminal off from", () => {
  const isCalledOff = (story: Story): boolean => owes(story, "call-off").length > 0;
  const shop = KINDS["SALE, dual"] ?? sale;
  const begun = (): Story => new Story(shop).meets({ on: "leased" });

  test("is waiting for a card or a PIN, and holding a card of which nothing will be posted", () => {
    expect([isCalledOff(begun()), isCalledOff(begun().meets({ on: "cancel" }))]).toEqual([false, true]);
    const again = begun().meets({ on: "card", card: chipCard }).answer(refusal("wrong-pin")).meets(AAC);
    expect([isCalledOff(again), isCalledOff(again.meets({ on: "cancel" }))]).toEqual([false, true]);
    expect(isCalledOff(begun().meets({ on: "card", card: tap }).meets({ on: "cancel" }))).toBe(false);
  });
});

test("whoever follows another payment owes its terminal nothing", () => {
  const story = new Story(followUp("CAPTURE")).meets({ on: "woken" }).answer(approval(1234, "capture-1"));
  expect(owed(story.payment).map((one) => one.do)).toEqual(expect.not.arrayContaining(["lease", "release"]));
});
