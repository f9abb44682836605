import fc from "fast-check";
import { expect, test } from "vitest";
import type { Notice } from "../../../src/card/notice.ts";
import { type Bench, COLLECT, createReadyBench } from "./session-bench.ts";

const happening = fc.oneof(
  fc.record({
    what: fc.constant("send" as const),
    command: fc.constantFrom("collect", "cancel", "idle", "display", "identify"),
  }),
  fc.record({
    what: fc.constant("say" as const),
    back: fc.nat(4),
    on: fc.constantFrom("no-card", "done", "cancelled", "fault", "prompt", "finished"),
  }),
  fc.record({ what: fc.constant("unplug" as const) }),
  fc.record({ what: fc.constant("test" as const) }),
  fc.record({ what: fc.constant("restart" as const), inMs: fc.constantFrom(-1, 0, 500, 180_000) }),
  fc.record({ what: fc.constant("wait" as const), ms: fc.constantFrom(0, 1, 700) }),
);

test("whatever happens, every command has exactly one ending once the session has stopped", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 30 }), async (happenings) => {
      const bench = await createReadyBench({
        plan: (event) => (event.on === "command" && event.command.do === "display" ? {} : undefined),
      });
      const numbers: number[] = [];
      for (const happens of happenings) await make(bench, numbers, happens);
      const stopped = bench.session.stop();
      await bench.clock.advance(5_000);
      await stopped;
      await bench.clock.advance(5_000);
      for (const n of numbers) expect(bench.endings(n)).toHaveLength(1);
      expect(bench.clock.pending()).toBe(0);
    }),
    { numRuns: 150 },
  );
});

test("whatever happens, a healthy device whose payment is over serves again, or is at rest before it starts anew", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 30 }), async (happenings) => {
      const bench = await createReadyBench();
      const numbers: number[] = [];
      for (const happens of happenings) await make(bench, numbers, happens);
      await bench.clock.advance(2_000);
      for (const command of ["cancel", "idle"] as const) {
        bench.session.send({ do: command });
        await bench.clock.settle();
      }
      await bench.say({ n: 0, on: "restart-soon", inMs: 60_000 });
      expect(bench.status().state).toBe("offline");
      await bench.clock.advance(400_000);
      expect(bench.status().state).toBe("ready");
    }),
    { numRuns: 150 },
  );
});

async function make(
  bench: Bench,
  numbers: number[],
  happens: typeof happening extends fc.Arbitrary<infer T> ? T : never,
): Promise<void> {
  switch (happens.what) {
    case "send": {
      const { command } = happens;
      const plain =
        command === "display" ? ({ do: "display", lines: [] } as const) : command === "collect" ? COLLECT : undefined;
      numbers.push(
        bench.session.send(plain ?? { do: command === "cancel" ? "cancel" : command === "idle" ? "idle" : "identify" }),
      );
      return;
    }
    case "say":
      return bench.status().state === "offline"
        ? undefined
        : bench.say(spoken(numbers.at(-1 - happens.back) ?? 0, happens.on));
    case "restart":
      return bench.status().state === "offline"
        ? undefined
        : bench.say({ n: 0, on: "restart-soon", inMs: happens.inMs });
    case "unplug":
      return bench.unplug();
    case "test":
      void bench.session.test();
      return;
    case "wait":
      return bench.clock.advance(happens.ms);
  }
}

function spoken(n: number, on: string): Notice {
  if (on === "no-card") return { n, on, why: "timeout" };
  if (on === "cancelled") return { n, on, by: "customer" };
  if (on === "prompt") return { n, on, prompt: "PROCESSING" };
  if (on === "finished") return { n, on, verdict: "approved", emv: [] };
  return on === "done" ? { n, on } : { n, on: "fault", code: "device-error", detail: "made up" };
}
