import { describe, expect, test } from "vitest";
import { type Owed, owed } from "../../../src/payment/machine/owed.ts";
import {
  approval,
  approved,
  authorizing,
  chipCard,
  crediting,
  followUp,
  KINDS,
  refusal,
  Story,
  sale,
  silence,
  softDecline,
  storedCardSale,
  tap,
} from "../../support/sale.ts";
import { does, posted } from "../../support/shown.ts";

const owes = <D extends Owed["do"]>({ payment }: Story, deed: D): readonly Extract<Owed, { do: D }>[] =>
  owed(payment).filter((one): one is Extract<Owed, { do: D }> => one.do === deed);
const shown = (story: Story): readonly string[] => owes(story, "release").map(({ show }) => show);
const AAC = { on: "finished", verdict: "declined", chip: {} } as const;

describe("the last words on a terminal", () => {
  test("are those of the decision", () => {
    expect(shown(approved())).toEqual(["approved"]);
    expect(shown(authorizing().answer(refusal()).meets(AAC))).toEqual(["not-approved"]);
    // The host has approved it, and the card has not: the booking is being taken back.
    expect(shown(authorizing().answer(approval()).meets(AAC))).toEqual(["not-approved"]);
    expect(shown(crediting().answer(approval()))).toEqual(["approved"]);
    expect(shown(crediting().answer(refusal()))).toEqual(["not-approved"]);
  });

  test("wait for a refund's answer, and do not wait for what only queries can tell", () => {
    expect(shown(crediting())).toEqual([]);
    expect(shown(crediting().answer(silence))).toEqual(["undecided"]);
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

  test("is waiting for a card or a PIN, and holding a card of which nothing will be posted, not one whose request is on its way", () => {
    expect([isCalledOff(begun()), isCalledOff(begun().meets({ on: "cancel" }))]).toEqual([false, true]);
    const again = begun().meets({ on: "card", card: chipCard }).answer(refusal("wrong-pin")).meets(AAC);
    expect([isCalledOff(again), isCalledOff(again.meets({ on: "cancel" }))]).toEqual([false, true]);
    const typing = begun().meets({ on: "card", card: tap }).answer(softDecline);
    expect([typing.payment.terminal.at, isCalledOff(typing), isCalledOff(typing.meets({ on: "cancel" }))]).toEqual([
      "asking-pin",
      false,
      true,
    ]);
    // Its card came while it was being called off.
    const held = begun().meets({ on: "cancel" }).meets({ on: "card", card: tap });
    expect([held.payment.terminal.at, posted(held), isCalledOff(held)]).toEqual(["holding", [], true]);
    expect(isCalledOff(begun().meets({ on: "card", card: tap }))).toBe(false);
    expect(isCalledOff(begun().meets({ on: "card", card: tap }).meets({ on: "cancel" }))).toBe(false);
  });
});

test("what follows another payment needs no terminal, before and after", () => {
  const story = new Story(followUp("CAPTURE"));
  const terminal = (): readonly string[] => does(story).filter((deed) => deed === "lease" || deed === "release");
  expect([does(story).length > 0, terminal()]).toEqual([true, []]);
  story.meets({ on: "woken" }).answer(approval(1234, "capture-1"));
  expect([does(story).includes("tell-originals"), terminal()]).toEqual([true, []]);
});
