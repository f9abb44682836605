import type { CardData, FirstDecision } from "../../src/card/card-data.ts";
import { type Asked, type CardReading as Reading, readDynaProCard } from "../../src/card/dynapro-card.ts";
import type { Blob } from "../../src/card/dynapro-data.ts";
import type { Held } from "./flow.ts";
import { presentedBy } from "./outcomes.ts";

export type CardReading =
  | Exclude<Reading, { is: "card" }>
  | { readonly is: "card"; readonly card: CardData; readonly held: Held };

/** The card data for the payment, or the reason to refuse it (PROTOCOL.md 6.3 and 6.4). */
export function readCard(blob: Blob, technology: string, decision: FirstDecision, asked: Asked): CardReading {
  const presented = presentedBy(technology);
  if (presented === undefined)
    return { is: "fault", code: "protocol", detail: `card data by technology ${technology}` };
  const reading = readDynaProCard(blob, presented, decision, asked);
  if (reading.is !== "card") return reading;
  return { ...reading, held: { via: presented === "keyed" ? "nobody" : presented, serialNumber: blob.serialNumber } };
}
