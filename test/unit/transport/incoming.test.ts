import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concat } from "../../../src/kit/bytes.ts";
import { LinkError } from "../../../src/terminal/link.ts";
import { createIncoming, INCOMING_LIMIT_BYTES } from "../../../src/transport/incoming.ts";

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  for await (const chunk of chunks) read.push(chunk);
  return concat(...read);
}

describe("the reading half of a link", () => {
  test("gives what was pushed, in order, whether the reader waits or comes late", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 20 })), fc.boolean(), async (parts, waits) => {
        const incoming = createIncoming("device");
        const early = waits ? readAll(incoming.chunks) : undefined;
        for (const part of parts) {
          incoming.push(part);
          if (part.length % 2 === 0) await Promise.resolve();
        }
        incoming.end();
        expect(await (early ?? readAll(incoming.chunks))).toEqual(concat(...parts));
      }),
    );
  });

  test("a failure comes after what was received before it, and only once", async () => {
    const incoming = createIncoming("device");
    incoming.push(Uint8Array.of(1));
    incoming.fail(new LinkError("lost", "gone"));
    incoming.push(Uint8Array.of(2));
    const reader = incoming.chunks[Symbol.asyncIterator]();
    expect(await reader.next()).toEqual({ done: false, value: Uint8Array.of(1) });
    await expect(reader.next()).rejects.toMatchObject({ code: "lost", message: "gone" });
    expect((await reader.next()).done).toBe(true);
  });

  test("wakes a reader that waits when it ends", async () => {
    const incoming = createIncoming("device");
    const read = readAll(incoming.chunks);
    await Promise.resolve();
    incoming.end();
    expect(await read).toEqual(new Uint8Array());
  });

  test(`takes ${INCOMING_LIMIT_BYTES} unread bytes and fails with one more`, async () => {
    const incoming = createIncoming("device");
    expect(incoming.push(new Uint8Array(INCOMING_LIMIT_BYTES))).toBe(true);
    expect(incoming.push(Uint8Array.of(1))).toBe(false);
    await expect(readAll(incoming.chunks)).rejects.toMatchObject({
      code: "failed",
      message: `device sent more than ${INCOMING_LIMIT_BYTES} bytes that nobody read`,
    });
  });

  test("counts what was read as read", async () => {
    const incoming = createIncoming("device", 4);
    const reader = incoming.chunks[Symbol.asyncIterator]();
    for (let round = 0; round < 10; round += 1) {
      expect(incoming.push(Uint8Array.of(1, 2, 3, 4))).toBe(true);
      await reader.next();
    }
  });

  test("a reader that leaves its loop gives up the rest", async () => {
    const incoming = createIncoming("device", 4);
    incoming.push(Uint8Array.of(1));
    for await (const _ of incoming.chunks) break;
    expect(incoming.push(new Uint8Array(100))).toBe(true);
    expect(await readAll(incoming.chunks)).toEqual(new Uint8Array());
  });
});
