import { expect, test } from "vitest";
import { miuraM020 } from "../../../drivers/miura-m020/driver.ts";
import type { KeyStatus } from "../../../src/card/notice.ts";
import { createLineWitness } from "../../../src/terminal/line-witness.ts";
import { LinkError } from "../../../src/terminal/link.ts";
import { prove } from "../../../src/terminal/prove.ts";
import { createBench, IDENTITY, KEYS, type Plan } from "./session-bench.ts";

/** What a proof over the scripted line comes to; `afterMs` is how long it may take. */
async function proof(options: Parameters<typeof createBench>[0], afterMs: number, heard: readonly number[] = []) {
  const witness = createLineWitness();
  const bench = createBench({ ...options, tap: witness.tap });
  const proving = prove({ session: bench.session, model: miuraM020, witness }, bench.clock);
  await bench.clock.advance(1);
  for (const byte of heard) await bench.lines.at(-1)?.far.write(Uint8Array.of(byte));
  await bench.clock.advance(afterMs);
  return proving;
}

const telling =
  (keys: Partial<KeyStatus>): Plan =>
  (event) =>
    event.on === "command" && event.command.do === "identify"
      ? { notices: [{ n: event.n, on: "ready", identity: IDENTITY, keys: { ...KEYS, ...keys } }] }
      : undefined;

/** Every question is answered by "nothing came". */
const deaf: Plan = (event) =>
  event.on === "command"
    ? { notices: [{ n: event.n, on: "fault", code: "no-answer", detail: "nothing came" }] }
    : undefined;

test("a device that tells who it is is proven, by its serial number", async () => {
  expect(await proof({}, 1)).toMatchObject({ is: "proven", told: { identity: { serialNumber: "S-1" } } });
  expect(await proof({}, 1)).not.toHaveProperty("warning");
});

test.each([[{ sred: false }], [{ pin: false }], [{ sred: false, pin: false }]])(
  "missing keys (%j) are a warning and no failure",
  async (keys) => {
    expect(await proof({ plan: telling(keys) }, 1)).toMatchObject({
      is: "proven",
      warning: expect.stringContaining("keys missing"),
    });
  },
);

test.each([
  ["tampered", { tampered: true }, /tampered/],
  ["tampered, and without keys", { tampered: true, sred: false }, /tampered/],
])("a device that is %s is refused", async (_, keys, reason) => {
  expect(await proof({ plan: telling(keys) }, 1)).toEqual({ is: "refused", reason: expect.stringMatching(reason) });
});

test("a line that does not open, one on which nothing comes, and one on which something else is said are told apart", async () => {
  const gone = async () => Promise.reject(new LinkError("not-found", "no device at /dev/x"));
  expect(await proof({ open: gone }, 1)).toEqual({ is: "no-link", reason: "no device at /dev/x" });
  expect(await proof({ plan: deaf }, 1)).toMatchObject({ is: "silent" });
  expect(await proof({ plan: (event) => (event.on === "command" ? {} : undefined) }, 45_000)).toEqual({
    is: "silent",
    reason: "no answer within 45 s",
  });
});

test("a device that is heard and not understood is asked once more, and only then given up", async () => {
  let asked = 0;
  const babbling: Plan = (event) => {
    if (event.on === "command") {
      asked += 1;
      return { timers: { late: 100 } };
    }
    return event.on === "timer"
      ? { notices: [{ n: asked, on: "fault", code: "no-answer", detail: "nothing that it knows came" }] }
      : undefined;
  };
  expect(await proof({ plan: babbling }, 5_000, [1, 2, 3])).toMatchObject({ is: "strange", bytes: 3 });
  expect(asked).toBeGreaterThan(1);
});
