import { describe, expect, test } from "vitest";
import { bench, START } from "./simulator-bench.ts";

const KEYS = "010009E105DFAE01010690000B";
const KEYS_BODY = "E105DFAE0101069000";

describe("faults of the line", () => {
  test("drop-next-frame takes the one frame, and only that", async () => {
    const at = bench();
    at.terminal.fault("drop-next-frame");
    expect(await at.ask("p2pe-status")).toEqual([]);
    expect(await at.ask("p2pe-status")).toEqual([KEYS_BODY]);
  });

  test("duplicate-next-frame sends it twice", async () => {
    const at = bench();
    at.terminal.fault("duplicate-next-frame");
    await at.ask("p2pe-status");
    await at.ask("p2pe-status");
    expect(at.frames).toEqual([KEYS, KEYS, KEYS]);
  });

  test("corrupt-next-frame changes one bit of it", async () => {
    const at = bench();
    at.terminal.fault("corrupt-next-frame");
    await at.ask("p2pe-status");
    const difference = BigInt(`0x${at.frames[0]}`) ^ BigInt(`0x${KEYS}`);
    expect(difference).not.toBe(0n);
    expect(difference & (difference - 1n)).toBe(0n);
  });

  test("after lets so many frames pass first", async () => {
    const at = bench();
    at.terminal.fault("drop-next-frame", 2);
    for (let count = 0; count < 4; count += 1) await at.ask("p2pe-status");
    expect(at.frames).toHaveLength(3);
    at.terminal.fault("unplug", 2);
    await at.ask("p2pe-status");
    expect(at.terminal.plugged()).toBe(true);
    await at.ask("p2pe-status");
    expect(at.terminal.plugged()).toBe(false);
    expect(at.frames).toHaveLength(5);
  });

  test("several faults on one frame are all done", async () => {
    const at = bench();
    at.terminal.fault("duplicate-next-frame");
    at.terminal.fault("duplicate-next-frame");
    await at.ask("p2pe-status");
    expect(at.frames).toHaveLength(4);
  });

  test("garbage comes at once", () => {
    const at = bench();
    at.terminal.fault("garbage");
    expect(at.frames).toHaveLength(1);
  });

  test("slow dribbles a frame in pieces, and in order, until the line is a new one", async () => {
    const at = bench();
    at.terminal.fault("slow");
    expect(await at.ask("configuration", {}, 200)).toEqual([]);
    await at.clock.advance(2000);
    expect(at.news()).toHaveLength(1);
    expect(at.frames.length).toBeGreaterThan(10);
    const before = at.frames.length;
    at.attach();
    await at.ask("p2pe-status");
    expect(at.frames.slice(before)).toEqual([KEYS]);
  });

  test("hang holds the line and says nothing more; reboot ends it", async () => {
    const at = bench();
    at.terminal.fault("hang");
    expect(await at.ask("p2pe-status")).toEqual([]);
    expect(at.terminal.plugged()).toBe(true);
    at.terminal.fault("reboot");
    expect(at.terminal.plugged()).toBe(false);
    await at.clock.advance(1000);
    at.attach();
    expect(await at.ask("p2pe-status")).toEqual([KEYS_BODY]);
  });

  test("unplug and plug are told once each, and end the transaction", async () => {
    const at = bench();
    const plugs: boolean[] = [];
    at.terminal.onPlug((plugged) => plugs.push(plugged));
    at.terminal.present("visa-contact");
    at.send("start-transaction", { data: START });
    await at.clock.advance(10);
    at.terminal.fault("unplug");
    at.terminal.fault("unplug");
    at.terminal.fault("plug");
    at.terminal.fault("plug");
    expect(plugs).toEqual([false, true]);
    at.attach();
    await at.clock.advance(5000);
    expect(at.news()).toEqual([]);
  });

  test("a wrong number of frames is refused", () => {
    expect(() => bench().terminal.fault("slow", -1)).toThrow("after must be a whole number of frames");
    expect(() => bench().terminal.fault("slow", 1.5)).toThrow("after must be a whole number of frames");
  });
});

describe("what a person cannot do", () => {
  test.each([
    [() => bench().terminal.removeCard(), "no card is in the slot"],
    [() => bench().terminal.present("joker"), 'no card is called "joker"'],
    [() => bench().terminal.press("12X"), "keys must be digits, ENTER, CANCEL or CLEAR"],
  ])("%#", (act, problem) => {
    expect(act).toThrow(problem);
  });

  test("two cards in one slot", () => {
    const { terminal } = bench();
    terminal.present("visa-contact");
    expect(() => terminal.present("mastercard-contact")).toThrow("visa-contact is in the slot: pull it out first");
  });
});
