import { describe, expect, test } from "vitest";
import type { Command } from "../../src/card/command.ts";
import { devices } from "./models.ts";
import { APPROVED, openShop } from "./shop.ts";
import { collect, ready } from "./till.ts";

/*
 * A device may go silent at any of its frames. Every command ends within its stated time all the same, counted from the
 * moment it was given, whatever it had to
 * wait for.
 */

const SECONDS: Readonly<Record<"identify" | "idle" | "complete" | "cancel", number>> = {
  identify: 60,
  idle: 60,
  complete: 30,
  cancel: 15,
};

/** More frames than any of the stories below has. */
const MOST_FRAMES = 200;

interface Story {
  readonly what: string;
  readonly before: readonly Command[];
  readonly last: keyof typeof SECONDS;
  /** A collect is begun, and so much later the last command given. */
  readonly afterMs?: number;
}

describe.each(devices)("$simulator.title", (pair) => {
  const [card, command] = pair.can.interfaces.includes("chip")
    ? (["visa-contact", collect({ interfaces: ["chip"] })] as const)
    : (["visa-contactless", collect({ interfaces: ["contactless"] })] as const);

  /**
   * How long the last command took from the moment at which it was given; the device is silent from its `from`th frame
   * on.
   */
  const lived = async (
    from: number,
    { before, last, afterMs }: Story,
  ): Promise<{ readonly seconds: number; readonly frames: number }> => {
    let frames = 0;
    const shop = await openShop({
      ...{ ...pair, card },
      wire: (chunk) => {
        frames += 1;
        return frames > from ? [] : [chunk];
      },
    });
    for (const one of before) await shop.does(one);
    if (afterMs !== undefined) {
      shop.begins(command);
      await shop.clock.advance(afterMs);
    }
    const given = shop.clock.monotonic();
    await shop.does(last === "complete" ? { do: last, issuer: APPROVED } : { do: last });
    return { seconds: (shop.clock.monotonic() - given) / 1000, frames };
  };

  const identified: readonly Command[] = [{ do: "identify" }, { do: "idle" }];
  const told: readonly Command[] = [...identified, command];
  const stories: readonly Story[] = [
    { what: "identify", before: [], last: "identify" },
    { what: "idle", before: [{ do: "identify" }], last: "idle" },
    { what: "complete", before: told, last: "complete" },
    {
      what: "complete behind words on a display",
      before: [...told, { do: "display", lines: ["PLEASE WAIT"], meaning: "undecided" }],
      last: "complete",
    },
    { what: "cancel of a card that waits for its issuer", before: told, last: "cancel" },
    { what: "cancel while a card is asked for", before: identified, last: "cancel", afterMs: 1 },
    { what: "cancel while a card is read", before: identified, last: "cancel", afterMs: 120 },
    { what: "idle while a card is read", before: identified, last: "idle", afterMs: 120 },
  ];

  test.each(stories)("$what", async (story) => {
    const whole = await lived(Number.POSITIVE_INFINITY, story);
    expect(whole.frames).toBeLessThan(MOST_FRAMES);
    for (let from = 0; from < whole.frames; from += 1) {
      const { seconds } = await lived(from, story);
      expect(seconds, `silent from frame ${from} on`).toBeLessThanOrEqual(SECONDS[story.last]);
    }
  });

  test("the whole sale is made where nothing is silent", async () => {
    const shop = await openShop({ ...pair, card });
    await ready(shop);
    expect(await shop.does(command)).toMatchObject({ on: "card" });
  });
});
