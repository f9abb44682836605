import type { Answer, Found, SearchResult } from "../../src/payment/fact/answer.ts";
import { owed } from "../../src/payment/machine/owed.ts";
import { approval, type Story } from "./sale.ts";

/* What queries show to a story, and what it then does: words that the stories of several files share. */

export const posted = (story: Story): readonly string[] =>
  story.payment.attempts.map(({ operation }) => operation.paymentType);
export const does = (story: Story): readonly string[] => owed(story.payment).map((effect) => effect.do);

/** What a story's first request was booked as, unless the changes say otherwise. */
export function own(story: Story, answer: Answer, changes: Partial<Found> = {}): Found {
  return { id: "booking-1", merchantTransactionId: story.booking(), paymentType: "PA", answer, ...changes };
}

export const standing = (id: string, paymentType = "CP"): Found => ({ id, paymentType, answer: approval(1234, id) });

/** A query for that request says so. */
export function look(
  story: Story,
  result: SearchResult | readonly Found[],
  afterMs = 1_000,
  forWhich = story.booking(),
): Story {
  const said: SearchResult = "is" in result ? result : { is: "found", bookings: result };
  return story.meets({ on: "searched", merchantTransactionId: forWhich, result: said }, afterMs);
}

/** The next query for the newest request shows these. */
export function found(story: Story, ...bookings: readonly Found[]): Story {
  return look(story, bookings, 31_000, story.newest());
}

export const original = standing("original-1", "PA");

/** Answers that show the original and nothing else, until the unknown window has passed. */
export function neverShown(story: Story): Story {
  for (let looks = 0; looks < 70; looks += 1) found(story, original);
  return story;
}
