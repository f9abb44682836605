import { type Offer, wordsFor } from "../../src/card/offer.ts";
import type { Face } from "../../src/card/waiting.ts";
import { amountText } from "../../src/kit/money.ts";

/** The family's smallest display (PROTOCOL.md 3.4). */
export const SIZE = { rows: 4, columns: 21 };

/** Text between a completion and the payment's result, which is shown only once it is certain (PROTOCOL.md 7.15). */
export const WAIT_LINES: readonly string[] = ["", "PLEASE WAIT"];

/** Text while waiting for a card. */
export function faceLines(face: Face, request: Parameters<typeof amountText>[0], offer: Offer): readonly string[] {
  const amount = amountText(request);
  switch (face) {
    case "present":
      return ["", amount, wordsFor(offer)];
    case "again":
      return ["", amount, "REMOVE CARD", "AND TRY AGAIN"];
    case "remove":
      return ["", amount, "REMOVE CARD"];
    case "wrong-pin":
      return ["", amount, "WRONG PIN", "TRY AGAIN"];
  }
}
