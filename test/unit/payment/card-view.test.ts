import { describe, expect, test } from "vitest";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import { approval, chipCard, followUp, refusal, Story, sale } from "../../support/sale.ts";

/** What a terminal tells that shows nothing of the number. */
const hidden = { ...chipCard, last4: "" };
const withDigits = <A extends ReturnType<typeof approval>>(answer: A): A => ({
  ...answer,
  ...("issuer" in answer && { issuer: { ...answer.issuer, last4: "0077" } }),
});
const presented = (card: typeof chipCard): Story => new Story(sale).meets({ on: "leased" }).meets({ on: "card", card });
const last4 = ({ payment }: Story) => JSON.parse(JSON.stringify(viewOf(payment))).card.last4;

describe("the last digits of a card", () => {
  test("are those that the terminal shows, whatever the gateway says", () => {
    expect(last4(presented(chipCard).answer(withDigits(approval())))).toBe("0050");
  });

  test.each([
    ["approves", approval()],
    ["declines", refusal()],
  ])("are the gateway's where the terminal shows none, once it %s", (_what, answer) => {
    const story = presented(hidden);
    expect(last4(story)).toBeUndefined();
    expect(last4(story.answer(withDigits(answer)))).toBe("0077");
  });

  test("are left out where nobody shows them: an empty text is no number", () => {
    const story = presented(hidden).answer(approval());
    expect(viewOf(story.payment).card).toMatchObject({ brand: "VISA", entryMode: "ICC" });
    expect(last4(story)).toBeUndefined();
  });

  test("are left out of what follows such a payment, also where an earlier version wrote an empty text", () => {
    const shown = { brand: "VISA", last4: "", entryMode: "ICC" } as const;
    const refund = new Story(followUp("LINKED_REFUND", { shown }));
    expect(viewOf(refund.payment).card).toEqual({ brand: "VISA", last4: undefined, entryMode: "ICC" });
    const known = new Story(followUp("LINKED_REFUND", { shown: { ...shown, last4: "0077" } }));
    expect(last4(known)).toBe("0077");
  });
});

describe("the brand of a card", () => {
  const swiped = {
    ...chipCard,
    entryMode: "MAGSTRIPE",
    brand: "UNKNOWN",
    bin: undefined,
    last4: "",
    chip: {},
  } as const;
  const { bin: _, ...unknown } = swiped;
  const withBin = <A extends ReturnType<typeof approval>>(answer: A): A => ({
    ...answer,
    ...("issuer" in answer && { issuer: { ...answer.issuer, bin: "541333", last4: "0077" } }),
  });

  test("is told by the number that the gateway has decrypted, where the terminal shows nothing of it", () => {
    const story = presented(unknown);
    expect(viewOf(story.payment).card).toMatchObject({ brand: "UNKNOWN" });
    expect(viewOf(story.answer(withBin(approval())).payment).card).toMatchObject({
      brand: "MASTER",
      bin: "541333",
      last4: "0077",
    });
  });

  test("is the terminal's where that knows it, whatever the gateway says", () => {
    expect(viewOf(presented(chipCard).answer(withBin(approval())).payment).card).toMatchObject({
      brand: "VISA",
      bin: chipCard.bin,
      last4: "0050",
    });
  });
});
