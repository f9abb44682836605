import { describe, expect, test } from "vitest";
import { encodePacket } from "../../../../drivers/miura-m020/frame.ts";
import {
  identityOf,
  nothingFound,
  readClock,
  readConfiguration,
  readInfo,
  readKeys,
  readSoftware,
} from "../../../../drivers/miura-m020/identity.ts";
import { parseAnswer } from "../../../../drivers/miura-m020/message.ts";
import { miuraM020Simulator } from "../../../../drivers/miura-m020/simulator.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { seededRandom } from "../../../../src/kit/seeded-random.ts";
import { createVirtualClock } from "../../../support/virtual-clock.ts";
import { bench, opened } from "./simulator-bench.ts";

const OK = "9000";
const NO_CARD = `u:E10448020000${OK}`;
const CARD = `u:E10448020300${OK}`;

describe("who the device is", () => {
  test("RESET, P2PE STATUS, SYSTEM CLOCK, configuration and device info read as a whole Miura", async () => {
    const at = bench();
    const answers: string[] = [];
    for (const name of ["reset", "p2pe-status", "clock", "configuration", "device-info"] as const)
      answers.push(...(await at.ask(name)));
    expect(answers).toHaveLength(5);
    const readers = [readSoftware, readKeys, readClock, readConfiguration, readInfo];
    const found = readers.reduce((so, read, step) => {
      const next = read(so, parseAnswer(fromHex(answers[step] ?? "")));
      if (next === undefined) throw new Error(`answer ${step} is not understood: ${answers[step]}`);
      return next;
    }, nothingFound);
    expect(found).toMatchObject({ extended: true, keys: { pin: true, sred: true } });
    expect(identityOf(found)).toMatchObject({
      serialNumber: "10000496",
      model: "M020",
      firmware: "M000-MPI 1-60, M000-OS 8-3",
      clock: { date: "260115" },
    });
    expect(identityOf(found).configuration.map(({ name }) => name)).toContain("P2PEDOL.CFG");
  });

  test("the configuration takes two packets, the first of them chained", async () => {
    const at = bench();
    await at.ask("configuration");
    expect(at.frames.map((frame) => frame.slice(0, 6))).toEqual(["0101FE", expect.stringMatching(/^0100/)]);
  });

  test("the published RESET frame is answered, byte by byte or all at once", async () => {
    const at = bench();
    for (const byte of ["01", "00", "04", "D0", "00", "00", "00", "D5"]) at.raw(byte);
    at.raw("010004EEE000000B010004D0100000C5");
    await at.clock.advance(100);
    expect(at.news()).toHaveLength(3);
    expect(at.frames[1]).toBe("010009E105DFAE01010690000B");
    expect(at.frames[2]?.slice(0, 18)).toBe("01000FE10B9A032601");
  });

  test("a serial number of one's own is told", async () => {
    const at = bench({ serialNumber: "20000001" });
    expect(opened((await at.ask("reset"))[0]).hex("9F1E")).toBe("3230303030303031");
    expect(at.terminal.serialNumber).toBe("20000001");
  });

  test("the automatic customer's card must exist", () => {
    const on = { clock: createVirtualClock(0), random: seededRandom(1), automatic: { card: "no-such-card" } };
    expect(() => miuraM020Simulator.create(on)).toThrow(
      'no card is called "no-such-card"; choose one of visa-contact, ',
    );
  });
});

describe("plain commands", () => {
  test("the clock is set and goes on from there", async () => {
    const at = bench();
    expect(await at.ask("clock", { data: fromHex("E00B9A038510269F2103012122") })).toEqual([OK]);
    await at.clock.advance(60_000);
    const clock = opened((await at.ask("clock"))[0]);
    expect([clock.hex("9A"), clock.hex("9F21").slice(0, 4)]).toEqual(["851026", "0122"]);
    expect(await at.ask("clock", { data: fromHex("E00B9A038513459F2103012122") })).toEqual(["9F14"]);
  });

  test("CARD STATUS has no answer of its own; the slot is told now and whenever it changes, until it is switched off", async () => {
    const at = bench();
    expect(await at.ask("card-status", { p1: 0x01 })).toEqual([NO_CARD]);
    at.terminal.present("visa-contact");
    await at.clock.advance(10);
    at.terminal.removeCard();
    await at.clock.advance(10);
    expect(at.news()).toEqual([CARD, NO_CARD]);
    expect(await at.ask("card-status", { p1: 0x00 })).toEqual([NO_CARD]);
    at.terminal.present("visa-contact");
    await at.clock.advance(10);
    expect(at.news()).toEqual([]);
  });

  test("a command behind CARD STATUS is not held up", async () => {
    const at = bench();
    at.send("card-status", { p1: 0x01 });
    expect(await at.ask("p2pe-status")).toEqual(expect.arrayContaining([NO_CARD, "E105DFAE0101069000"]));
  });

  test("DISPLAY TEXT shows on the screen", async () => {
    const at = bench();
    expect(at.terminal.screen()).toMatchObject({ lines: ["Ready"], slot: { card: null }, waitsFor: null });
    expect(await at.ask("display", { data: new TextEncoder().encode("12.34 EUR\nInsert card") })).toEqual([OK]);
    expect(at.terminal.screen()).toMatchObject({ lines: ["12.34 EUR", "Insert card"], waitsFor: "card" });
    at.terminal.present("visa-contact");
    expect(at.terminal.screen()).toMatchObject({
      slot: { card: "visa-contact" },
      lights: { card: true },
      waitsFor: null,
    });
    await at.ask("display", { data: new TextEncoder().encode("Approved\nRemove card") });
    expect(at.terminal.screen().waitsFor).toBe("removal");
  });

  test("keyboard, battery and solicited card status are answered", async () => {
    const at = bench();
    at.raw("010004D0610100B5");
    at.raw("010004D0620000B7");
    at.raw("010004D0640000B1");
    await at.clock.advance(100);
    expect(at.news()).toEqual([OK, "E10ADFA20A0164DFA20901029000", "E104480200009000"]);
    at.terminal.press("CANCEL");
    expect(at.news()).toEqual(["u:E005DFA205011B9000"]);
  });

  test("an unknown command, another NAD and a command whose length lies are errors, and the next one works", async () => {
    const at = bench();
    at.raw("010004D0AB00007E");
    at.raw("020004D0000000D6");
    at.raw(toHex(encodePacket({ nad: 1, chained: false, unsolicited: false, piece: fromHex("D010000005E1") })));
    await at.clock.advance(100);
    expect(at.news()).toEqual(["9F0D", "9F0D", "9F0D"]);
    expect(await at.ask("p2pe-status")).toEqual(["E105DFAE0101069000"]);
  });

  test("noise is thrown away, and what comes after it is heard", async () => {
    const at = bench();
    at.raw("DEADBEEF");
    expect(await at.ask("p2pe-status")).toEqual(["E105DFAE0101069000"]);
  });

  test("commands are answered one after the other, in order", async () => {
    const at = bench();
    at.send("p2pe-status");
    at.send("display", { data: new TextEncoder().encode("x") });
    at.send("clock");
    await at.clock.advance(100);
    expect(at.news().map((body) => body.slice(0, 4))).toEqual(["E105", OK, "E10B"]);
  });

  test("more commands than the device can hold are lost, and those it holds are answered", async () => {
    const at = bench();
    for (let count = 0; count < 40; count += 1) at.send("p2pe-status");
    await at.clock.advance(1000);
    expect(at.news()).toHaveLength(17);
  });
});

describe("the line", () => {
  test("a new network connection is greeted, a new serial one is not", async () => {
    const at = bench();
    await at.clock.advance(100);
    expect(at.news()).toEqual([]);
    at.attach("tcp");
    await at.clock.advance(100);
    // The frame as recorded from a real reader.
    expect(at.frames).toEqual(["01401AE616C30101C41144657669636520706F7765726564206F6E90006A"]);
  });

  test("a second host hangs up on the first, and answers of the first never reach the second", async () => {
    const at = bench();
    at.send("p2pe-status");
    at.attach();
    await at.clock.advance(100);
    expect(at.news()).toEqual([]);
    expect(await at.ask("p2pe-status")).toHaveLength(1);
  });

  test("RESET with P1 01 answers, goes away and comes back", async () => {
    const at = bench();
    const plugs: boolean[] = [];
    at.terminal.onPlug((plugged) => plugs.push(plugged));
    expect(await at.ask("reset", { p1: 0x01 }, 100)).toHaveLength(1);
    expect(at.terminal.plugged()).toBe(false);
    expect(() => at.attach()).toThrow("the terminal is unplugged");
    await at.clock.advance(1000);
    expect(plugs).toEqual([false, true]);
    at.attach();
    expect(await at.ask("p2pe-status")).toHaveLength(1);
  });
});
