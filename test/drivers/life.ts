import type { CardWord } from "../../packages/sandbox/testbed/card.ts";
import type { Command } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import type { Pair } from "./models.ts";
import { openShop } from "./shop.ts";

/*
 * A driver and its device living through some commands with a line between them that does what it likes to the device's
 * bytes.
 */

/** What becomes of one chunk of the device's, the `at`th that it sends: nothing, itself, or other chunks. */
export type Wire = (chunk: Uint8Array, at: number) => readonly Uint8Array[];

export interface Life {
  /** How each command ended, in order. */
  readonly endings: readonly Notice[];
  /** What the last card had said last when each of them ended. */
  readonly words: readonly (CardWord | undefined)[];
  /** How many chunks the device sent. */
  readonly chunks: number;
}

/** Rejects where a command does not end, or the driver throws. */
export async function live(pair: Pair, card: string, commands: readonly Command[], wire: Wire): Promise<Life> {
  const words: (CardWord | undefined)[] = [];
  let said: CardWord | undefined;
  let chunks = 0;
  const { model, simulator, transport } = pair;
  const shop = await openShop({
    ...{ model, simulator, transport, card },
    cardSaid: (word) => {
      said = word;
    },
    wire: (chunk) => {
      chunks += 1;
      return wire(chunk, chunks - 1);
    },
  });
  const endings: Notice[] = [];
  for (const command of commands) {
    endings.push(await shop.does(command));
    words.push(said);
  }
  return { endings, words, chunks };
}

/** A false report of the driver: an approval without the card's TC, or an ending that no command has. */
export function untruth({ endings, words }: Life): string | undefined {
  const known = ["ready", "done", "card", "pin", "no-card", "cancelled", "finished", "fault"];
  const odd = endings.find(({ on }) => !known.includes(on));
  if (odd !== undefined) return `a command ended with "${odd.on}"`;
  const lie = endings.findIndex(
    (ending, at) => ending.on === "finished" && ending.verdict === "approved" && words[at]?.type !== "TC",
  );
  return lie === -1 ? undefined : `"approved" was told, and the card's last word was ${words[lie]?.type ?? "none"}`;
}
