import { describe, expect, test } from "vitest";
import type { Capabilities } from "../../../src/card/capabilities.ts";
import type { FaultCode, Identity, KeyStatus, Notice } from "../../../src/card/notice.ts";
import { LinkError } from "../../../src/terminal/link.ts";
import { createPair } from "../../support/pair.ts";
import {
  type Bench,
  COLLECT,
  card,
  createBench,
  createReadyBench,
  IDENTITY,
  KEYS,
  type Plan,
} from "./session-bench.ts";

/** A device that tells this of itself; a list is told in turn, the last for ever. */
function telling(
  ...told: readonly { readonly identity?: Partial<Identity>; readonly keys?: Partial<KeyStatus> }[]
): Plan {
  let at = 0;
  return (event) => {
    if (event.on !== "command" || event.command.do !== "identify") return undefined;
    const { identity, keys } = told[Math.min(at, told.length - 1)] ?? {};
    at += 1;
    return {
      notices: [{ n: event.n, on: "ready", identity: { ...IDENTITY, ...identity }, keys: { ...KEYS, ...keys } }],
    };
  };
}

describe("who may serve", () => {
  test("another serial number than the configured one is refused, with the mend", async () => {
    const bench = await createReadyBench({ expectedSerial: "S-2" });
    expect(bench.status()).toMatchObject({
      state: "out-of-service",
      reason: expect.stringContaining("serial number S-1 instead of S-2; connect the right one"),
    });
    const n = bench.session.send(COLLECT);
    await bench.clock.advance(0);
    expect(bench.endings(n)).toMatchObject([
      { on: "fault", code: "refused", detail: expect.stringContaining("out of service") },
    ]);
  });

  test("the first serial number seen is the expected one from then on", async () => {
    const bench = await createReadyBench({ plan: telling({}, { identity: { serialNumber: "S-9" } }, {}) });
    await bench.unplug();
    await bench.clock.advance(1_000);
    expect(bench.status()).toMatchObject({
      state: "out-of-service",
      reason: expect.stringContaining("S-9 instead of S-1"),
    });
    await bench.unplug();
    await bench.clock.advance(1_000);
    expect(bench.status().state).toBe("ready");
  });

  test.each([
    ["no key for card data", { sred: false }, true, "out-of-service"],
    ["no PIN key on a model with online PIN", { pin: false }, true, "out-of-service"],
    ["no PIN key on a model without online PIN", { pin: false }, false, "ready"],
    ["tampered", { tampered: true }, true, "out-of-service"],
  ])("%s", async (_, keys, onlinePin, state) => {
    const bench = await createReadyBench({ onlinePin, plan: telling({ keys }) });
    expect(bench.status().state).toBe(state);
    expect(bench.commands().includes("idle")).toBe(state === "ready");
  });

  test("a fault on identify that names missing keys puts it out of service; a clean test lifts that", async () => {
    let keys = false;
    const bench = await createReadyBench({
      plan: (event) =>
        !keys && event.on === "command"
          ? { notices: [{ n: event.n, on: "fault", code: "keys-missing", detail: "no slot is loaded" }] }
          : undefined,
    });
    expect(bench.status().reason).toBe(
      "keys missing: no slot is loaded; have its keys injected, then plug it in again",
    );
    keys = true;
    expect((await bench.session.test()).ok).toBe(true);
    expect(bench.status().state).toBe("ready");
  });

  test("keys that are gone when the device says again who it is end the payment and the service", async () => {
    const bench = await createReadyBench();
    const n = bench.session.send(COLLECT);
    await bench.clock.settle();
    await bench.say({ n: 0, on: "ready", identity: IDENTITY, keys: { ...KEYS, sred: false } });
    expect(bench.status().state).toBe("out-of-service");
    expect(bench.endings(n)).toMatchObject([{ on: "fault", code: "refused" }]);
    expect(bench.commands().at(-1)).toBe("cancel");
  });
});

describe("a member of a family", () => {
  const LESS: Capabilities = {
    interfaces: ["contactless"],
    onlinePin: false,
    pinAfterTap: false,
    display: false,
    sealed: false,
  };
  const member =
    (keys: KeyStatus, capabilities?: Capabilities): Plan =>
    (event) =>
      event.on === "command" && event.command.do === "identify"
        ? { notices: [{ n: event.n, on: "ready", identity: IDENTITY, keys, ...(capabilities && { capabilities }) }] }
        : undefined;

  test("that can do less than its model is known by what it says, and needs no PIN key where it takes no PIN", async () => {
    const bench = await createReadyBench({ plan: member({ ...KEYS, pin: false }, LESS) });
    expect(bench.status()).toMatchObject({ state: "ready", capabilities: LESS });
  });

  test("that cannot tell what keys it has is trusted until its first card", async () => {
    expect((await createReadyBench({ plan: member({}) })).status().state).toBe("ready");
  });

  test("that comes back able to do less is told of once, with what it can do now", async () => {
    let now: Capabilities | undefined;
    const bench = await createReadyBench({ plan: (event) => member(KEYS, now)(event) });
    now = LESS;
    await bench.unplug();
    await bench.clock.advance(1_000);
    const told = bench.events.flatMap((event) =>
      event.on === "status" ? [`${event.status.state} ${event.status.capabilities.interfaces.join()}`] : [],
    );
    expect(told).toEqual(["ready chip", "offline chip", "ready contactless"]);
  });

  test("that says in the middle of a payment what it can do now is told of once, and the payment goes on", async () => {
    const bench = await createReadyBench();
    const n = bench.session.send(COLLECT);
    await bench.clock.settle();
    for (let times = 2; times > 0; times -= 1)
      await bench.say({ n: 0, on: "ready", identity: IDENTITY, keys: KEYS, capabilities: LESS });
    expect(bench.statuses()).toEqual(["ready", "ready"]);
    expect(bench.status()).toMatchObject({ state: "ready", capabilities: LESS });
    expect(bench.endings(n)).toEqual([]);
  });

  test("that says nothing can do what its model can", async () => {
    const bench = await createReadyBench({ plan: member(KEYS) });
    expect(bench.status().capabilities).toMatchObject({ interfaces: ["chip"], onlinePin: true });
  });
});

describe("the device's clock", () => {
  const off = (time: string): { identity: Partial<Identity> } => ({ identity: { clock: { date: "250314", time } } });

  test("one that is ten seconds off is left alone", async () => {
    const bench = await createReadyBench({ plan: telling(off("150936")) });
    expect(bench.commands()).toEqual(["identify", "idle"]);
  });

  test("one that is eleven seconds off is set, and looked at again", async () => {
    const bench = await createReadyBench({ plan: telling(off("150915"), off("150926")) });
    expect(bench.commands()).toEqual(["identify", "set-clock", "identify", "idle"]);
    expect(bench.status().state).toBe("ready");
  });

  test("one that stays two minutes off may serve, a second more may not", async () => {
    expect((await createReadyBench({ plan: telling(off("150726")) })).status().state).toBe("ready");
    const bench = await createReadyBench({ plan: telling(off("150725")) });
    expect(bench.status()).toMatchObject({
      state: "out-of-service",
      reason: expect.stringContaining("its clock is 121 s off"),
    });
  });

  test("one that tells no time is set, and refused where it stays so", async () => {
    const bench = await createReadyBench({ plan: telling(off("250000")) });
    expect(bench.commands()).toContain("set-clock");
    expect(bench.status().reason).toContain("its clock is not set");
  });
});

const FATAL: readonly FaultCode[] = ["keys-missing", "tampered", "clear-card-data", "ksn-not-rising", "misconfigured"];
const PASSING: readonly FaultCode[] = ["protocol", "device-error", "no-answer", "refused"];

describe("faults", () => {
  test.each(FATAL)("%s in a payment ends it once, cancels at the device and ends the service", async (code) => {
    const bench = await createReadyBench();
    const n = bench.session.send(COLLECT);
    await bench.clock.settle();
    await bench.say({ n, on: "fault", code, detail: "seen" });
    expect(bench.endings(n)).toEqual([{ n, on: "fault", code, detail: "seen" }]);
    expect(bench.status().state).toBe("out-of-service");
    expect(bench.commands().at(-1)).toBe("cancel");
    expect(bench.events.map((event) => event.on)).toEqual(["status", "status", "notice"]);
  });

  test.each(FATAL)("%s without a command ends the payment that runs as well", async (code) => {
    const bench = await createReadyBench();
    const n = bench.session.send(COLLECT);
    await bench.clock.settle();
    await bench.say({ n: 0, on: "fault", code, detail: "seen" });
    expect(bench.endings(n)).toMatchObject([{ code }]);
    expect(bench.endings(0)).toMatchObject([{ code }]);
  });

  test.each(FATAL)(
    "%s is not lifted by a test or by a link that this side opens anew, only by plugging in again",
    async (code) => {
      const bench = await createReadyBench();
      await bench.say({ n: 0, on: "fault", code, detail: "seen" });
      expect((await bench.session.test()).ok).toBe(false);
      await bench.act({ link: "reopen" });
      await bench.clock.advance(1_000);
      expect(bench.lines).toHaveLength(2);
      expect(bench.status().state).toBe("out-of-service");
      await bench.unplug();
      await bench.clock.advance(1_000);
      expect(bench.status().state).toBe("ready");
    },
  );

  test.each(["timeout", "not-found"] as const)(
    "a device that was switched off without a word (%s) may be another one, or mended, when it is back",
    async (code) => {
      const bench = await createReadyBench();
      await bench.say({ n: 0, on: "fault", code: "keys-missing", detail: "seen" });
      await bench.unplug(code);
      await bench.clock.advance(1_000);
      expect(bench.status().state).toBe("ready");
    },
  );

  test.each([
    ["timeout", "ready"],
    ["not-found", "ready"],
    ["busy", "out-of-service"],
    ["refused", "out-of-service"],
  ] as const)("where a fresh link does not come (%s) it is %s afterwards", async (code, state) => {
    let isThere = true;
    const bench = createBench({
      open: async () => {
        if (!isThere) throw new LinkError(code, "no link");
        const pair = createPair({ clock: bench.clock, delayMs: 1 });
        bench.lines.push(pair);
        return pair.near;
      },
    });
    bench.session.start();
    await bench.clock.advance(1);
    await bench.say({ n: 0, on: "fault", code: "keys-missing", detail: "seen" });
    isThere = false;
    await bench.act({ link: "reopen" });
    await bench.clock.advance(5_000);
    isThere = true;
    await bench.clock.advance(60_000);
    expect(bench.status().state).toBe(state);
  });

  test.each(PASSING)("%s ends the command and leaves the terminal in service", async (code) => {
    const bench = await createReadyBench();
    const n = bench.session.send(COLLECT);
    await bench.clock.settle();
    await bench.say({ n, on: "fault", code, detail: "seen" });
    expect(bench.endings(n)).toEqual([{ n, on: "fault", code, detail: "seen" }]);
    expect(bench.status().state).toBe("ready");
  });
});

describe("key serial numbers", () => {
  const read = async (bench: Bench, ...ksn: Parameters<typeof card>): Promise<Notice | undefined> => {
    const n = bench.session.send(COLLECT);
    await bench.clock.settle();
    await bench.say({ n, on: "card", card: card(...ksn) });
    const [ending] = bench.endings(n);
    if (ending?.on === "card") bench.session.send({ do: "idle" });
    await bench.clock.settle();
    return ending;
  };

  test("a card under a number that rose passes; one that did not is replaced by a fault, cancelled at the device, and ends the service", async () => {
    const bench = await createReadyBench();
    expect(await read(bench, "FFFF9876543210E00001")).toMatchObject({ on: "card" });
    expect(await read(bench, "FFFF9876543210E00002")).toMatchObject({ on: "card" });
    expect(await read(bench, "FFFF9876543210E00002")).toMatchObject({ on: "fault", code: "ksn-not-rising" });
    expect(bench.commands().at(-1)).toBe("cancel");
    expect(bench.status().state).toBe("out-of-service");
  });

  test("plugging in again does not make the session forget", async () => {
    const bench = await createReadyBench();
    await read(bench, "FFFF9876543210E00005");
    await bench.unplug();
    await bench.clock.advance(1_000);
    expect(await read(bench, "FFFF9876543210E00005")).toMatchObject({ code: "ksn-not-rising" });
  });

  test("a card that nobody asked for, under a number that did not rise, goes out as a fault too", async () => {
    const bench = await createReadyBench();
    await read(bench, "FFFF9876543210E00005");
    await bench.say({ n: 0, on: "card", card: card("FFFF9876543210E00005") });
    expect(bench.endings(0)).toMatchObject([{ on: "fault", code: "ksn-not-rising" }]);
    expect(bench.commands().at(-1)).toBe("cancel");
  });

  test("live refuses published test keys", async () => {
    const bench = await createReadyBench({ environment: "live" });
    expect(await read(bench, "FFFF9876543210E00001")).toMatchObject({ on: "fault", code: "keys-missing" });
    expect(bench.status().state).toBe("out-of-service");
  });
});
