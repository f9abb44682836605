import { describe, expect, test } from "vitest";
import { packNotification } from "../../drivers/magtek-edynamo/codec.ts";
import { notifications } from "../../drivers/magtek-edynamo/message.ts";
import { wire as edynamoWire } from "../../drivers/magtek-edynamo/wire.ts";
import { type CommandName, commandFrame } from "../../drivers/pax-d180/message.ts";
import { wire as paxWire } from "../../drivers/pax-d180/wire.ts";
import { wire as verifoneWire } from "../../drivers/verifone-p400/wire.ts";
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

test.each([
  ["an answer by its status word", [0x01, 0x00, 0x02, 0x90, 0x00], ["answer 9000 (done)"]],
  ["an encrypted message as no more than that", [0x01, 0x02, 0x02, 0x90, 0x00], ["encrypted message"]],
  ["a key not at all", [0x01, 0x40, 0x09, 0xe0, 0x05, 0xdf, 0xa2, 0x05, 0x01, 0x1b, 0x90, 0x00], []],
])("a trace of a Verifone tells %s", (_what, packet, names) => {
  const frame = Uint8Array.of(
    ...packet,
    packet.reduce((sum, byte) => sum ^ byte, 0),
  );
  expect(
    verifoneWire("tcp", "received")
      .take(frame)
      .frames.map(({ name }) => name),
  ).toEqual(names);
});

test("a trace of an eDynamo tells each step of a transaction", () => {
  const [report] = packNotification("frames", notifications.progress, Uint8Array.of(0x01, 0xff, 0x02, 0x00, 0x00));
  const { frames } = edynamoWire("serial", "received").take(report ?? new Uint8Array(0));
  expect(frames).toEqual([{ name: "told: progress 01 02" }]);
});

test.each<[CommandName, number]>([
  ["key", 0],
  ["key-hit", 0],
  ["ping", 1],
])("a trace of a PAX leaves out its polls for keys: %s is told %i times", (name, times) => {
  expect(paxWire("tcp", "sent").take(commandFrame(name)).frames).toHaveLength(times);
});
