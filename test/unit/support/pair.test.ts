import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concat } from "../../../src/kit/bytes.ts";
import type { Link } from "../../../src/terminal/link.ts";
import { createPair } from "../../support/pair.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

function listen(link: Link): { readonly bytes: () => Uint8Array; readonly end: () => string | undefined } {
  const read: Uint8Array[] = [];
  let end: string | undefined;
  const run = async (): Promise<void> => {
    for await (const chunk of link.incoming) read.push(chunk);
  };
  run().then(
    () => {
      end = "ended";
    },
    (error: Error) => {
      end = error.message;
    },
  );
  return { bytes: () => concat(...read), end: () => end };
}

describe("two links joined in memory", () => {
  test("carry every byte both ways, in order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array()),
        fc.array(fc.uint8Array()),
        fc.nat(50),
        async (there, back, delayMs) => {
          const clock = createVirtualClock(0);
          const { near, far } = createPair({ clock, delayMs });
          const [atNear, atFar] = [listen(near), listen(far)];
          for (const bytes of there) await near.write(bytes);
          for (const bytes of back) await far.write(bytes);
          await clock.advance(delayMs);
          expect(atFar.bytes()).toEqual(concat(...there));
          expect(atNear.bytes()).toEqual(concat(...back));
        },
      ),
    );
  });

  test("deliver after the delay, and never in the turn of the write", async () => {
    const clock = createVirtualClock(0);
    const { near, far } = createPair({ clock, delayMs: 5 });
    const atFar = listen(far);
    await near.write(Uint8Array.of(1));
    await clock.advance(4);
    expect(atFar.bytes()).toHaveLength(0);
    await clock.advance(1);
    expect(atFar.bytes()).toHaveLength(1);
  });

  test("keep what was written, whatever the writer does with its array afterwards", async () => {
    const clock = createVirtualClock(0);
    const { near, far } = createPair({ clock, delayMs: 1 });
    const atFar = listen(far);
    const bytes = Uint8Array.of(1);
    await near.write(bytes);
    bytes[0] = 9;
    await clock.advance(1);
    expect(atFar.bytes()).toEqual(Uint8Array.of(1));
  });

  test("close from one end: the other reads what was on its way, then the end", async () => {
    const clock = createVirtualClock(0);
    const { near, far } = createPair({ clock, delayMs: 1 });
    const [atNear, atFar] = [listen(near), listen(far)];
    await near.write(Uint8Array.of(1));
    await near.close();
    await near.close();
    await clock.advance(1);
    expect(atFar.bytes()).toEqual(Uint8Array.of(1));
    expect([atNear.end(), atFar.end()]).toEqual(["ended", "ended"]);
    await expect(near.write(Uint8Array.of(1))).rejects.toMatchObject({ code: "lost" });
  });

  test("a cut line loses what was on its way, and both readers learn of it", async () => {
    const clock = createVirtualClock(0);
    const pair = createPair({ clock, delayMs: 1 });
    const [atNear, atFar] = [listen(pair.near), listen(pair.far)];
    await pair.near.write(Uint8Array.of(1));
    pair.cut();
    await clock.advance(10);
    expect(atFar.bytes()).toHaveLength(0);
    expect([atNear.end(), atFar.end()]).toEqual(["in-memory line was cut", "in-memory line was cut"]);
    await expect(pair.far.write(Uint8Array.of(1))).rejects.toMatchObject({ code: "lost" });
  });

  test("a fault on the way corrupts, splits or loses, in one direction alone", async () => {
    const clock = createVirtualClock(0);
    const carry = (bytes: Uint8Array, direction: string): readonly Uint8Array[] =>
      direction === "near-to-far" ? [bytes.subarray(0, 1), bytes.subarray(1).map((byte) => byte ^ 0xff)] : [];
    const { near, far } = createPair({ clock, delayMs: 1, carry });
    const [atNear, atFar] = [listen(near), listen(far)];
    await near.write(Uint8Array.of(1, 2));
    await far.write(Uint8Array.of(3));
    await clock.advance(1);
    expect(atFar.bytes()).toEqual(Uint8Array.of(1, 0xfd));
    expect(atNear.bytes()).toHaveLength(0);
  });
});
