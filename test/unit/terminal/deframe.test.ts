import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type FrameRead, splitFrames } from "../../../src/terminal/deframe.ts";

const LONGEST = 5;
const NOTHING = new Uint8Array(0);

/** A toy framing: one byte of length (0 to 9), then that many bytes. Only lengths up to 4 fit LONGEST. */
function read(bytes: Uint8Array, at: number): FrameRead<string> {
  const length = bytes[at] ?? 0;
  if (length > 9) return { is: "broken", why: `length ${length}` };
  const next = at + 1 + length;
  return next > bytes.length ? { is: "more" } : { is: "frame", next, frame: bytes.subarray(at + 1, next).join(",") };
}

describe("splitFrames", () => {
  test("gives whole frames and keeps the beginning of the next", () => {
    const split = splitFrames(NOTHING, Uint8Array.of(2, 7, 8, 0, 3, 1), LONGEST, read);
    expect(split.frames).toEqual(["7,8", ""]);
    expect([...split.pending]).toEqual([3, 1]);
    expect(splitFrames(split.pending, Uint8Array.of(2, 3), LONGEST, read).frames).toEqual(["1,2,3"]);
  });

  test("keeps a copy, so that a transport may use its buffer again", () => {
    const chunk = Uint8Array.of(3, 1);
    const { pending } = splitFrames(NOTHING, chunk, LONGEST, read);
    chunk.fill(0);
    expect([...pending]).toEqual([3, 1]);
  });

  test("gives the frames before a broken place, why it is broken, and keeps nothing", () => {
    expect(splitFrames(NOTHING, Uint8Array.of(1, 7, 99, 1, 7), LONGEST, read)).toEqual({
      frames: ["7"],
      pending: NOTHING,
      broken: "length 99",
    });
  });

  test("a beginning as long as the longest frame is broken", () => {
    expect(splitFrames(NOTHING, Uint8Array.of(9, 1, 2, 3), LONGEST, read).broken).toBeUndefined();
    expect(splitFrames(NOTHING, Uint8Array.of(9, 1, 2, 3, 4), LONGEST, read).broken).toBe("no frame in 5 bytes");
  });

  test("never keeps as much as the longest frame, whatever arrives", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 20, max: 12 })), (chunks) => {
        let pending: Uint8Array = NOTHING;
        for (const chunk of chunks) {
          pending = splitFrames(pending, chunk, LONGEST, read).pending;
          expect(pending.length).toBeLessThan(LONGEST);
        }
      }),
    );
  });
});
