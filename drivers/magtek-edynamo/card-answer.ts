import type { CardData, FirstDecision } from "../../src/card/card-data.ts";
import { type Asked, type CardReading as Reading, readDynaProCard } from "../../src/card/dynapro-card.ts";
import { type Blob, tags } from "../../src/card/dynapro-data.ts";
import { findTag } from "../../src/emv/tlv.ts";
import type { Device, Held } from "./flow.ts";
import { amountOf } from "./flow-start.ts";

export type CardReading =
  | Exclude<Reading, { is: "card" }>
  | { readonly is: "card"; readonly card: CardData; readonly held: Held };

/** Low half of DFDF57: the key's data variant. */
const VARIANT = 0x0f;

/** The card data for the payment, or the reason to refuse it (PROTOCOL.md 6.2 and 6.3). */
export function readCard(
  blob: Blob,
  via: Held["via"],
  decision: FirstDecision,
  { request, offer }: Omit<Asked, "masking">,
  device: Device,
): CardReading {
  const amount = amountOf(request, device.member);
  const reading = readDynaProCard(blob, via, decision, {
    request: { ...request, amount },
    offer,
    masking: device.masking,
  });
  if (reading.is !== "card") return reading;
  const [encryption = 0] = findTag(blob.leaves, tags.encryption) ?? [];
  if ((encryption & VARIANT) !== 0) {
    return {
      is: "fault",
      code: "misconfigured",
      detail: "it encrypts card data under another variant of its key (DFDF57); set property 0x67",
    };
  }
  return { ...reading, held: { via, frame: { serialNumber: blob.serialNumber, macKsn: blob.macKsn } } };
}
