import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Command } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import { equal } from "../../src/kit/bytes.ts";
import { runsOf, sampleOf } from "../support/dose.ts";
import { type Life, live, untruth, type Wire } from "./life.ts";
import { isWhole } from "./models/facts.ts";
import { type Pair, pairs } from "./models.ts";
import { APPROVED } from "./shop.ts";
import { collect, KEYED } from "./till.ts";

/*
 * What a line does to a device's bytes between device and driver: it cuts them anywhere, loses, repeats and spoils
 * them, and mixes noise into them. Whatever arrives,
 * every command ends, and an "approved" is told only of a card that made a TC.
 */

/** A card that this device takes, and the collect for it. */
function usualCard({ can, facts }: Pair): {
  readonly card: string;
  readonly command: Extract<Command, { readonly do: "collect" }>;
} {
  const candidates = [
    { way: "chip", card: "visa-contact" },
    { way: "contactless", card: "visa-contactless" },
    { way: "stripe", card: "magstripe" },
  ] as const;
  const found = candidates.find(({ way, card }) => can.interfaces.includes(way) && facts.without[card] === undefined);
  return found === undefined
    ? { card: "manual", command: KEYED }
    : { card: found.card, command: collect({ interfaces: [found.way] }) };
}

/** A whole sale, with `wire` between device and driver. */
async function sale(pair: Pair, wire: Wire): Promise<Life> {
  const { card, command } = usualCard(pair);
  return live(pair, card, [{ do: "identify" }, { do: "idle" }, command, { do: "complete", issuer: APPROVED }], wire);
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

const lastOf = ({ endings }: Life): Notice | undefined => endings.at(-1);

function expectTrue(life: Life): void {
  expect(untruth(life)).toBeUndefined();
}

const halves = (chunk: Uint8Array, at: number): readonly Uint8Array[] => [chunk.subarray(0, at), chunk.subarray(at)];

describe.each(pairs)("$title", (pair) => {
  const finished = async (): Promise<Life> => sale(pair, (chunk) => [chunk]);

  test("ends as the card decided where the line is good", async () => {
    expect(lastOf(await finished())).toMatchObject({
      on: "finished",
      verdict: expect.stringMatching(/^(approved|read)$/),
    });
  });

  if (!isWhole(pair.transport)) {
    test("takes its frames byte by byte", async () => {
      const whole = await finished();
      const bytewise = await sale(pair, (chunk) => [...chunk].map((byte) => Uint8Array.of(byte)));
      expect(bytewise.endings).toEqual(whole.endings);
    });

    test("takes its frames cut at any border", async () => {
      const whole = await finished();
      for (const border of sampleOf(upTo(48).slice(1), 4)) {
        expect((await sale(pair, (chunk) => halves(chunk, Math.min(border, chunk.length)))).endings).toEqual(
          whole.endings,
        );
      }
    });

    test("bears noise inside any frame", async () => {
      const { chunks } = await finished();
      for (const spoiled of sampleOf(upTo(chunks), 3)) {
        expectTrue(
          await sale(pair, (chunk, at) => {
            if (at !== spoiled) return [chunk];
            const [head = chunk, tail = chunk] = halves(chunk, chunk.length >> 1);
            return [head, Uint8Array.of(0x00, 0xff, 0x55, 0x02, 0x03), tail];
          }),
        );
      }
    });
  }

  test("bears the loss, the repetition and the spoiling of any chunk", async () => {
    const { chunks } = await finished();
    const mischief: readonly ((chunk: Uint8Array) => readonly Uint8Array[])[] = [
      () => [],
      (chunk) => [chunk, chunk],
      (chunk) => [chunk.map((byte, at) => (at === chunk.length >> 1 ? byte ^ 0x41 : byte))],
      (chunk) => [chunk.map((byte) => byte ^ 0xff), chunk],
    ];
    for (const harm of mischief) {
      for (const spoiled of sampleOf(upTo(chunks), 3))
        expectTrue(await sale(pair, (chunk, at) => (at === spoiled ? harm(chunk) : [chunk])));
    }
  });

  test("bears anything at any moment", async () => {
    const { chunks } = await finished();
    const byte = fc.uint8Array({ maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.nat(chunks), keep: fc.boolean(), noise: byte }), { maxLength: 6 }),
        async (harms) => {
          expectTrue(
            await sale(pair, (chunk, at) => {
              const here = harms.filter((harm) => harm.at === at);
              const noise = here.map((harm) =>
                isWhole(pair.transport) ? padded(harm.noise, chunk.length) : harm.noise,
              );
              return here.every(({ keep }) => keep) ? [...noise, chunk] : noise;
            }),
          );
        },
      ),
      { numRuns: runsOf(5, 40) },
    );
  });

  for (const { clause, instead, rewrite } of pair.facts.flips) {
    test(`${clause}: a device that ${instead} is survived, or faulted`, async () => {
      expectTrue(await sale(pair, rewrite));
    });
  }
});

const flips = pairs.flatMap((pair) =>
  pair.facts.flips.map(({ clause, instead, rewrite }) => ({
    pair,
    rewrite,
    name: `${pair.model.title}, ${clause}: a device that ${instead}`,
  })),
);

test.each([...new Set(flips.map(({ name }) => name))])(
  "%s does so in a sale, on some line of some member",
  async (name) => {
    for (const { pair, rewrite } of flips.filter((flip) => flip.name === name)) {
      let isChanged = false;
      await sale(pair, (chunk) => {
        const instead = rewrite(chunk);
        const [first] = instead;
        isChanged ||= instead.length !== 1 || first === undefined || !equal(first, chunk);
        return instead;
      });
      if (isChanged) return;
    }
    throw new Error("nothing that was said was changed");
  },
);

function padded(bytes: Uint8Array, size: number): Uint8Array {
  const whole = new Uint8Array(size);
  whole.set(bytes.subarray(0, size));
  return whole;
}
