import type { Notice } from "../../src/card/notice.ts";
import { finalAnswerProblem } from "../../src/emv/answer-problem.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import { clearable } from "../../src/emv/tags.ts";
import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { toHex } from "../../src/kit/hex.ts";
import type { HeldCard } from "./flow.ts";

/** A completion with its final answer. */
interface Complete {
  readonly n: number;
  readonly verdict: IssuerResponse["verdict"];
  readonly held: HeldCard;
}

/**
 * A late final answer of another transaction, recognised by its ATC (9F36) if both answers have one (PROTOCOL.md 7.5).
 */
export function isOfAnother(leaves: readonly Tlv[], { atc }: HeldCard): boolean {
  const told = findTag(leaves, "9F36");
  return told !== undefined && atc !== undefined && toHex(told) !== atc;
}

/** E3: the card approved. `leaves` are the primitive objects of the answer. */
export function approvedBy({ n, verdict, held }: Complete, leaves: readonly Tlv[]): Notice {
  const problem =
    verdict !== "approved" ? "the device says approved although the issuer did not" : finalAnswerProblem(leaves, held);
  if (problem !== undefined) return { n, on: "fault", code: "protocol", detail: problem };
  return { n, on: "finished", verdict: held.via === "chip" ? "approved" : "read", emv: clearable(leaves) };
}

/** E5. A reader makes no second cryptogram, so it acknowledges. But refusing what the issuer approved is a decline. */
export function declinedBy({ n, verdict, held }: Complete, leaves: readonly Tlv[]): Notice {
  const isDecline = held.via === "chip" || verdict === "approved";
  return { n, on: "finished", verdict: isDecline ? "declined" : "read", emv: clearable(leaves) };
}
