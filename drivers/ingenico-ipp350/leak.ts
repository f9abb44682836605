import { cardReadIn, type Heard } from "./message.ts";
import { leakIn, leakInText, leakInTracks } from "./sealed.ts";

/** Names the card data in clear that a message holds, whatever message it is and whoever waits for it (PROTOCOL.md 7.5). */
export function leakHeard(heard: Heard): string | undefined {
  switch (heard.is) {
    case "emv":
    case "damaged":
      return leakIn(heard.objects);
    case "reply":
      return (heard.id === "23" ? leakInTracks(cardReadIn(heard.text)) : undefined) ?? leakInText(heard.id, heard.text);
    case "slot":
    case "cancel-key":
    case "other":
      return undefined;
  }
}
