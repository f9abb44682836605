import { describe, expect, test } from "vitest";
import { type CommandName, commandFrame } from "../../drivers/pax-d180/message.ts";
import { wire as paxWire } from "../../drivers/pax-d180/wire.ts";
import { UNREADABLE } from "../../src/terminal/driver.ts";
import { live } from "./life.ts";
import { isWhole } from "./models/facts.ts";
import { pairs } from "./models.ts";

/* What a trace says of a line: frames by their names, and bytes that are no frame as such. */

/** Protocols that check each frame. */
const checked = pairs.filter(({ facts, transport }) => facts.reseal !== undefined && !isWhole(transport));

describe.each(checked)("a trace of $title", (pair) => {
  test("says of a spoiled frame that it is none, and reads the next one", async () => {
    const chunks: Uint8Array[] = [];
    await live(pair, "visa-contact", [{ do: "identify" }], (chunk) => {
      chunks.push(chunk);
      return [chunk];
    });
    const reader = pair.model.wire?.(pair.transport, "received");
    const whole = chunks.find((chunk) => chunk.length > 8 && reader?.take(chunk).frames.length === 1);
    if (reader === undefined || whole === undefined) throw new Error("it is not traced, or has no whole frame");
    const { frames, next } = reader.take(whole.with(-1, (whole.at(-1) ?? 0) ^ 0x01));
    expect(frames).toEqual([UNREADABLE]);
    expect(next.take(whole).frames).toEqual(reader.take(whole).frames);
  });
});

test.each<[CommandName, number]>([
  ["key", 0],
  ["key-hit", 0],
  ["ping", 1],
])("a trace of a PAX leaves out its polls for keys: %s is told %i times", (name, times) => {
  expect(paxWire("tcp", "sent").take(commandFrame(name)).frames).toHaveLength(times);
});
