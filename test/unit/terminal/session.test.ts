import { describe, expect, test } from "vitest";
import { PENDING_LIMIT } from "../../../src/terminal/command-book.ts";
import { noTap } from "../../../src/terminal/line-tap.ts";
import { COLLECT, card, createBench, createReadyBench, IDENTITY, KEYS, type Plan } from "./session-bench.ts";

describe("commands and notices", () => {
  test("a device that identifies itself and goes idle is ready, and nothing of that reaches the outside but the status", async () => {
    const bench = await createReadyBench();
    expect(bench.commands()).toEqual(["identify", "idle"]);
    expect(bench.statuses()).toEqual(["ready"]);
    expect(bench.notices()).toEqual([]);
    expect(bench.status()).toMatchObject({
      id: "till-1",
      model: "bench",
      serialNumber: "S-1",
      firmware: "1-2",
      connection: "memory",
      hostWaitMs: 60_000,
    });
    expect(bench.status().reason).toBeUndefined();
  });

  test("the events of one session stand in the order link, identify, idle", async () => {
    const bench = await createReadyBench();
    expect(bench.fed.map((event) => (event.on === "command" ? `${event.n} ${event.command.do}` : event.on))).toEqual([
      "opened",
      "1 identify",
      "2 idle",
    ]);
  });

  test("a command reaches the driver after send has returned, and its notices come with its number", async () => {
    const bench = await createReadyBench();
    const n = bench.session.send(COLLECT);
    expect(bench.commands()).not.toContain("collect");
    await bench.clock.settle();
    expect(bench.commands()).toContain("collect");
    await bench.say({ n, on: "prompt", prompt: "INSERT_CHIP" });
    await bench.say({ n, on: "card", card: card("FFFF9876543210E00001") });
    expect(bench.notices().map((notice) => `${notice.n} ${notice.on}`)).toEqual([`${n} prompt`, `${n} card`]);
  });

  test("numbers rise by one", async () => {
    const bench = await createReadyBench();
    const first = bench.session.send({ do: "display", lines: ["A"] });
    expect(bench.session.send({ do: "display", lines: ["B"] })).toBe(first + 1);
  });

  test("a command ends once: what the driver says of it afterwards, or of a number nobody gave, is dropped", async () => {
    const bench = await createReadyBench();
    const n = bench.session.send(COLLECT);
    await bench.clock.settle();
    await bench.say({ n, on: "no-card", why: "timeout" });
    await bench.say({ n, on: "card", card: card("FFFF9876543210E00001") });
    await bench.say({ n, on: "prompt", prompt: "ENTER_PIN" });
    await bench.say({ n: n + 5, on: "done" });
    expect(bench.notices().map((notice) => notice.on)).toEqual(["no-card"]);
  });

  test("an unsolicited notice passes always", async () => {
    const bench = await createReadyBench();
    await bench.say({ n: 0, on: "slot", card: true });
    expect(bench.notices()).toEqual([{ n: 0, on: "slot", card: true }]);
  });

  test("a cancel that ends takes the collect with it where the driver said nothing of the collect", async () => {
    const bench = await createReadyBench();
    const collect = bench.session.send(COLLECT);
    const cancel = bench.session.send({ do: "cancel" });
    await bench.clock.settle();
    expect(bench.notices()).toEqual([
      { n: collect, on: "cancelled", by: "register" },
      { n: cancel, on: "done" },
    ]);
  });

  test("a card that was read while the cancel was on its way still ends the collect", async () => {
    const bench = await createReadyBench({
      plan: (event) => (event.on === "command" && event.command.do === "cancel" ? {} : undefined),
    });
    const collect = bench.session.send(COLLECT);
    const cancel = bench.session.send({ do: "cancel" });
    await bench.clock.settle();
    await bench.say({ n: collect, on: "card", card: card("FFFF9876543210E00001") });
    await bench.say({ n: cancel, on: "done" });
    expect(bench.notices().map((notice) => `${notice.n} ${notice.on}`)).toEqual([`${collect} card`, `${cancel} done`]);
  });

  test("a completion that a newer command replaced has an unknown end, never a cancelled one", async () => {
    const bench = await createReadyBench();
    const complete = bench.session.send({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    bench.session.send({ do: "idle" });
    await bench.clock.settle();
    expect(bench.endings(complete)).toMatchObject([{ on: "fault", code: "no-answer" }]);
  });

  test("a command to a terminal that is not connected ends with a fault, in a later turn", async () => {
    const bench = createBench();
    const n = bench.session.send(COLLECT);
    expect(bench.notices()).toEqual([]);
    await bench.clock.advance(0);
    expect(bench.endings(n)).toEqual([
      { n, on: "fault", code: "no-answer", detail: "the terminal is offline: not connected yet" },
    ]);
  });

  test(`more than ${PENDING_LIMIT} commands at once are refused`, async () => {
    const bench = await createReadyBench();
    const numbers = Array.from({ length: PENDING_LIMIT + 1 }, () => bench.session.send(COLLECT));
    await bench.clock.advance(0);
    expect(numbers.filter((n) => bench.endings(n).length > 0)).toEqual(numbers.slice(-1));
    expect(bench.endings(numbers.at(-1) ?? 0)).toMatchObject([{ code: "refused" }]);
  });

  test("a listener that throws is logged, and the others hear all", async () => {
    const bench = createBench();
    const heard: string[] = [];
    bench.session.listen(() => {
      throw new Error("listener broke");
    });
    bench.session.listen((event) => void heard.push(event.on));
    bench.session.start();
    await bench.clock.advance(1);
    await bench.say({ n: 0, on: "slot", card: true });
    expect(heard).toEqual(["status", "notice"]);
    expect(
      bench.logged.filter(({ level, message }) => level === "error" && message.includes("listener broke")),
    ).toHaveLength(2);
  });

  test("what a listener causes is told after what it heard, to every listener", async () => {
    const bench = await createReadyBench();
    const heard: string[] = [];
    bench.session.listen((event) => {
      if (event.on === "notice" && event.notice.on === "slot") bench.session.send({ do: "display", lines: [] });
    });
    bench.session.listen((event) => void (event.on === "notice" && heard.push(event.notice.on)));
    await bench.say({ n: 0, on: "slot", card: true });
    expect(heard).toEqual(["slot", "done"]);
  });
});

describe("the driver", () => {
  test("timers run through the clock; a new one of the same name replaces the old one, and clear ends it", async () => {
    const bench = await createReadyBench();
    await bench.act({ timers: { a: 100, b: 100, c: 50 } });
    await bench.act({ timers: { a: 200, b: "clear" } });
    await bench.clock.advance(1_000);
    expect(bench.fed.flatMap((event) => (event.on === "timer" ? [event.name] : []))).toEqual(["c", "a"]);
  });

  test("timers do not outlive the link", async () => {
    const bench = await createReadyBench();
    await bench.act({ timers: { answer: 100 } });
    await bench.unplug();
    await bench.clock.advance(1_000);
    expect(bench.fed.some((event) => event.on === "timer")).toBe(false);
    expect(bench.fed.filter((event) => event.on === "closed")).toHaveLength(1);
  });

  test("timers are set before bytes are written, and bytes before notices", async () => {
    const bench = await createReadyBench();
    const order: string[] = [];
    const after = bench.clock.after;
    Object.assign(bench.clock, {
      after: (ms: number, run: () => void) => {
        order.push(`after ${ms}`);
        return after(ms, run);
      },
    });
    bench.session.listen((event) => void (event.on === "notice" && order.push("notice")));
    await bench.act({ timers: { t: 777 }, write: [Uint8Array.of(9)], notices: [{ n: 0, on: "slot", card: true }] });
    expect(order.slice(order.indexOf("after 777"))).toEqual(["after 777", "after 1", "notice"]);
  });

  test("one that throws is started anew on a fresh link; its command ends with a fault", async () => {
    const bench = await createReadyBench({
      plan: (event) => {
        if (event.on === "command" && event.command.do === "collect") throw new Error("bug");
        return undefined;
      },
    });
    const n = bench.session.send(COLLECT);
    await bench.clock.settle();
    expect(bench.endings(n)).toEqual([{ n, on: "fault", code: "protocol", detail: "the driver failed" }]);
    expect(bench.status().state).toBe("offline");
    await bench.clock.advance(1_000);
    expect(bench.status().state).toBe("ready");
    expect(bench.lines).toHaveLength(2);
  });

  test("one that does not answer identify is tried again on a fresh link", async () => {
    let silent = true;
    const bench = await createReadyBench({ plan: (event) => (silent && event.on === "command" ? {} : undefined) });
    await bench.clock.advance(60_000);
    expect(bench.status()).toMatchObject({ state: "offline", reason: "identify has no answer after 60000 ms" });
    silent = false;
    await bench.clock.advance(1_000);
    expect(bench.status().state).toBe("ready");
  });
});

describe("test", () => {
  test("tells who the device is and how long the answer took, without leaving service", async () => {
    const bench = await createReadyBench({ plan: slowIdentify });
    const result = bench.session.test();
    await bench.clock.advance(100);
    expect(await result).toMatchObject({
      ok: true,
      identity: IDENTITY,
      keys: KEYS,
      answerMs: 40,
      status: { state: "ready" },
    });
    expect(bench.statuses()).toEqual(["ready"]);
  });

  test("a command that comes meanwhile waits for its end", async () => {
    const bench = await createReadyBench({ plan: slowIdentify });
    const result = bench.session.test();
    const n = bench.session.send({ do: "display", lines: [] });
    await bench.clock.advance(39);
    expect(bench.commands().at(-1)).toBe("identify");
    await bench.clock.advance(1);
    expect((await result).ok).toBe(true);
    expect(bench.endings(n)).toMatchObject([{ on: "done" }]);
  });

  test("is refused between a card and its completion", async () => {
    const bench = await createReadyBench();
    const n = bench.session.send(COLLECT);
    await bench.clock.settle();
    expect(await bench.session.test()).toMatchObject({ ok: false, problem: expect.stringContaining("busy") });
    await bench.say({ n, on: "card", card: card("FFFF9876543210E00001") });
    expect(await bench.session.test()).toMatchObject({ ok: false, problem: expect.stringContaining("busy") });
    bench.session.send({ do: "idle" });
    await bench.clock.settle();
    expect(await bench.session.test()).toMatchObject({ ok: true });
  });

  test("says why where there is no link", async () => {
    expect(await createBench().session.test()).toMatchObject({ ok: false, problem: "not connected yet" });
  });

  test("ends where the link is lost under it", async () => {
    const bench = await createReadyBench({ plan: (event) => (event.on === "command" && event.n > 2 ? {} : undefined) });
    const result = bench.session.test();
    await bench.unplug();
    expect(await result).toMatchObject({ ok: false, status: { state: "offline" }, problem: "in-memory line was cut" });
  });
});

/** Every identify but the first is answered after 40 ms. */
const slowIdentify: Plan = (event) => {
  if (event.on === "command" && event.command.do === "identify" && event.n > 1)
    return { timers: { [`${event.n}`]: 40 } };
  return event.on === "timer"
    ? { notices: [{ n: Number(event.name), on: "ready", identity: IDENTITY, keys: KEYS }] }
    : undefined;
};

test("frames that went wrong are told to whoever taps the line", async () => {
  const told: string[] = [];
  const bench = await createReadyBench({ tap: { ...noTap, frameError: (error) => void told.push(error) } });
  await bench.act({ frameErrors: ["repeated", "corrupted"] });
  await bench.act({});
  expect(told).toEqual(["repeated", "corrupted"]);
});
