import { describe, expect, test } from "vitest";
import { createMemory, emptyMemoryImage } from "../../../../packages/sandbox/testbed/memory.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { type Bench, bench, continueData, opened, START } from "./simulator-bench.ts";

const INSERTED = "u:E104480203009000";
const EMPTY = "u:E104480200009000";

/**
 * What a driver does: idle text, card reports; then for a sale card status and a text that asks for a card, START upon
 * the card, CONTINUE upon E4.
 */
async function idle(at: Bench): Promise<void> {
  await at.ask("display", { data: new TextEncoder().encode("\nWelcome") });
  await at.ask("card-status", { p1: 0x01 });
}

function askForCard(at: Bench): void {
  at.send("card-status", { p1: 0x01 });
  at.send("display", { data: new TextEncoder().encode("\n12.34 EUR\nINSERT CARD") });
}

describe("the customer who does everything by himself", () => {
  test("leaves an idle terminal alone", async () => {
    const at = bench({ automatic: { card: "visa-contact" } });
    await idle(at);
    await at.clock.advance(60_000);
    expect(at.terminal.screen().slot.card).toBeNull();
  });

  test("presents his card, types his PIN, and takes the card back, all in less than a second", async () => {
    const at = bench({ automatic: { card: "visa-contact" } });
    await idle(at);
    at.news();
    const began = at.clock.monotonic();
    askForCard(at);
    await at.clock.runUntil(() => at.heard.at(-1) === INSERTED, 1000);
    at.send("start-transaction", { data: START });
    await at.clock.runUntil(() => at.heard.at(-1)?.startsWith("E4") === true, 2000);
    at.send("continue-transaction", { data: continueData("00") });
    await at.clock.runUntil(() => at.heard.at(-1) === EMPTY, 2000);
    expect(at.clock.monotonic() - began).toBeLessThan(1000);
    expect(at.heard.some((body) => body.startsWith("E3"))).toBe(true);
    expect(at.terminal.screen()).toMatchObject({ slot: { card: null }, waitsFor: null });
  });

  test("goes by the words on the display", async () => {
    const at = bench({ automatic: { card: "visa-contact" } });
    await at.ask("display", { data: new TextEncoder().encode("12.34 EUR\nPlease insert card") });
    expect(at.terminal.screen().slot.card).toBe("visa-contact");
    await at.ask("display", { data: new TextEncoder().encode("Approved\nRemove card") });
    expect(at.terminal.screen().slot.card).toBeNull();
  });

  test("is not asked by card reports alone, and no longer once the words are gone", async () => {
    const at = bench({ automatic: { card: "visa-contact" } });
    await at.ask("card-status", { p1: 0x01 });
    expect(at.terminal.screen().waitsFor).toBeNull();
    askForCard(at);
    await at.clock.advance(20);
    expect(at.terminal.screen().waitsFor).toBe("card");
    await at.ask("display", { data: new TextEncoder().encode("\nWelcome") }, 5000);
    expect(at.terminal.screen()).toMatchObject({ waitsFor: null, slot: { card: null } });
  });

  test("does not push in a card after the sale was cancelled", async () => {
    const at = bench({ automatic: { card: "visa-contact" } });
    await idle(at);
    askForCard(at);
    await at.clock.advance(20);
    at.send("abort");
    await at.clock.advance(5000);
    expect(at.terminal.screen().slot.card).toBeNull();
  });

  test("taps, swipes or types, by the card that he has in his pocket", async () => {
    const at = bench({ automatic: { card: "visa-contactless" } });
    const tap = fromHex("E01C9C01009F02060000000012349A032601159F21031015005F2A020978");
    expect((await at.ask("start-contactless", { data: tap })).at(-1)).toMatch(/^E4/);
    await at.ask("abort");
    at.terminal.customerUses("magstripe");
    await at.ask("card-status", { p1: 0x0d });
    expect((await at.ask("display", { data: new TextEncoder().encode("SWIPE CARD") })).at(-1)).toMatch(
      /^u:E1.*48020007/,
    );
    at.terminal.customerUses("manual");
    expect(await at.ask("display", { data: new TextEncoder().encode("INSERT CARD") }, 5000)).toEqual(["9000"]);
    expect((await at.ask("secure-data", { p1: 0x01, data: fromHex("E005DFA2100101") }, 2000)).at(-1)).toMatch(
      /^E1.*DFA208/,
    );
    expect((await at.ask("secure-data", { p1: 0x01, data: fromHex("E005DFA2100105") }, 2000)).at(-1)).toMatch(
      /^E1.*DFA208/,
    );
  });

  test("takes his card from the reader when something else is wanted", async () => {
    const at = bench({ automatic: { card: "magstripe" } });
    await at.ask("display", { data: new TextEncoder().encode("INSERT CARD") });
    expect(at.terminal.screen().reader.card).toBe("magstripe");
    await at.ask("display", { data: new TextEncoder().encode("Welcome") });
    expect(at.terminal.screen().reader.card).toBeNull();
  });

  test("takes his card back when the transaction is aborted over his PIN, and types no further", async () => {
    const at = bench({ automatic: { card: "visa-contact" } });
    await idle(at);
    askForCard(at);
    await at.clock.runUntil(() => at.heard.at(-1) === INSERTED, 1000);
    at.send("start-transaction", { data: START });
    await at.clock.runUntil(() => at.terminal.screen().lines.includes("**"), 1000);
    expect(await at.ask("abort")).toEqual(expect.arrayContaining(["9000", "9F41", EMPTY]));
    expect(at.terminal.screen().slot.card).toBeNull();
  });

  test("with wrong-pin-once types another PIN the second time, also at another terminal of the same memory", async () => {
    const memory = createMemory(emptyMemoryImage);
    const keysOf = async (): Promise<number> => {
      const at = bench({ automatic: { card: "wrong-pin-once" }, memory });
      await idle(at);
      askForCard(at);
      await at.clock.runUntil(() => at.heard.at(-1) === INSERTED, 1000);
      at.send("start-transaction", { data: START });
      await at.clock.runUntil(() => at.heard.at(-1)?.startsWith("E4") === true, 2000);
      return Number.parseInt(opened(at.heard.at(-1)).hex("9F36"), 16);
    };
    expect([await keysOf(), await keysOf()]).toEqual([1, 2]);
    expect(memory.nextTyped("wrong-pin-once")).toBe(2);
  });
});
