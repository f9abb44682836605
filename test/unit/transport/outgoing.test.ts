import { expect, test } from "vitest";
import { LinkError } from "../../../src/terminal/link.ts";
import { createOutgoing, OUTGOING_LIMIT_BYTES } from "../../../src/transport/outgoing.ts";

const failed = (error: Error): LinkError => new LinkError("failed", error.message);
const lost = new LinkError("lost", "closed");

test("a write resolves when the bytes left", async () => {
  const outgoing = createOutgoing({ device: "device", send: (_, done) => done(null), failed });
  await expect(outgoing.write(Uint8Array.of(1))).resolves.toBeUndefined();
});

test("a write rejects with what went wrong", async () => {
  const outgoing = createOutgoing({ device: "device", send: (_, done) => done(new Error("EIO")), failed });
  await expect(outgoing.write(Uint8Array.of(1))).rejects.toMatchObject({ code: "failed", message: "EIO" });
});

test("a write whose system never calls back rejects when the link is broken off, and so does every later one", async () => {
  const outgoing = createOutgoing({ device: "device", send: () => undefined, failed });
  const pending = [outgoing.write(Uint8Array.of(1)), outgoing.write(Uint8Array.of(2))];
  outgoing.breakOff(lost);
  outgoing.breakOff(new LinkError("failed", "second"));
  for (const write of [...pending, outgoing.write(Uint8Array.of(3))]) await expect(write).rejects.toBe(lost);
});

test("a call back after the break changes nothing", async () => {
  const calls: ((error: null) => void)[] = [];
  const outgoing = createOutgoing({ device: "device", send: (_, done) => void calls.push(done), failed });
  const write = outgoing.write(Uint8Array.of(1));
  outgoing.breakOff(lost);
  for (const call of calls) call(null);
  await expect(write).rejects.toBe(lost);
});

test(`${OUTGOING_LIMIT_BYTES} bytes may wait, one more may not, and what left makes room`, async () => {
  const calls: ((error: null) => void)[] = [];
  const outgoing = createOutgoing({ device: "device", send: (_, done) => void calls.push(done), failed });
  const first = outgoing.write(new Uint8Array(OUTGOING_LIMIT_BYTES));
  await expect(outgoing.write(Uint8Array.of(1))).rejects.toMatchObject({
    code: "failed",
    message: expect.stringContaining("does not take what is sent"),
  });
  calls[0]?.(null);
  await first;
  const next = outgoing.write(Uint8Array.of(1));
  calls[1]?.(null);
  await expect(next).resolves.toBeUndefined();
});
