import { describe, expect, test } from "vitest";
import { ANY, hexIn, LIMIT_MS, readIn, SALE, type SessionBench, sessionBench } from "./session-bench.ts";

async function asked(card: string, allowsPinBypass = false): Promise<SessionBench> {
  const at = sessionBench({ allowsPinBypass });
  at.panel.present(card, "insert");
  at.session.begin(SALE, ANY, LIMIT_MS);
  await at.clock.advance(100);
  return at;
}

describe("a PIN that the card compares", () => {
  test("is asked for until it is right, with the tries that are left", async () => {
    const at = await asked("offline-pin");
    expect(at.news()).toMatchObject([{ is: "inserted" }, { is: "enter-pin", triesLeft: 3 }]);
    await at.types("1111", "ENTER");
    expect(at.news()).toMatchObject([{ is: "enter-pin", triesLeft: 2 }]);
    expect(at.panel.screen().lines).toEqual(["Amount 12.34 EUR", "Wrong PIN. Enter PIN", ""]);
    await at.types("2222", "ENTER");
    expect(at.panel.screen().lines[1]).toBe("Wrong PIN. Last try");
    at.news();
    await at.types("1234", "ENTER");
    const said = at.news();
    expect(said.map(({ is }) => is)).toEqual(["pin-typed", "read"]);
    const read = readIn(said);
    // TVR byte 3 is clear, and the CVR says: compared, right.
    expect([hexIn(read, "9F34"), hexIn(read, "95"), hexIn(read, "9F10")]).toEqual([
      "410302",
      "8000008000",
      "06010A03A40000",
    ]);
    expect(read.pin).toBeUndefined();
  });

  test("that was right sets the card's tries back; wrong ones are counted over transactions", async () => {
    const at = await asked("offline-pin");
    await at.types("1111", "ENTER", "CANCEL");
    at.panel.remove();
    at.panel.present("offline-pin", "insert");
    at.session.begin(SALE, ANY, LIMIT_MS);
    await at.clock.advance(100);
    at.news();
    await at.types("1111", "ENTER");
    expect(at.news()).toMatchObject([{ is: "enter-pin", triesLeft: 1 }]);
    await at.types("1234", "ENTER");
    at.session.abort();
    at.panel.remove();
    at.news();
    at.panel.present("offline-pin", "insert");
    at.session.begin(SALE, ANY, LIMIT_MS);
    await at.clock.advance(100);
    expect(at.news()).toMatchObject([{ is: "inserted" }, { is: "enter-pin", triesLeft: 3 }]);
  });

  test("is blocked by the third wrong one; where the card's rules go on, the next one counts", async () => {
    const blocked = await asked("offline-pin-blocked");
    await blocked.types("1111", "ENTER", "2222", "ENTER", "3333", "ENTER");
    const read = readIn(blocked.news());
    // M/Chip, byte 1 of the CVR: compared and enciphered; byte 3: no tries; byte 4: failed, and blocked.
    expect([hexIn(read, "9F34"), hexIn(read, "95"), hexIn(read, "9F10")?.slice(4, 16)]).toEqual([
      "040301",
      "8000A08000",
      "A600001A0000",
    ]);
    const goesOn = await asked("offline-pin");
    await goesOn.types("1111", "ENTER", "2222", "ENTER", "3333", "ENTER");
    expect(goesOn.news().at(-1)).toEqual({ is: "enter-pin" });
    await goesOn.types("1234", "ENTER");
    const second = readIn(goesOn.news());
    expect([hexIn(second, "9F34"), hexIn(second, "95"), second.pin === undefined]).toEqual([
      "420300",
      "8000248000",
      false,
    ]);
  });
});

describe("the green key without a PIN", () => {
  test.each([
    ["offline-pin", ["ENTER", "ENTER"], "5E0300", "8000088000"],
    ["visa-contact", ["ENTER"], "5E0300", "8000088000"],
  ])("goes on to the next rule of %s where the terminal allows it", async (card, keys, results, tvr) => {
    const at = await asked(card, true);
    await at.types(...keys);
    const read = readIn(at.news());
    expect([hexIn(read, "9F34"), hexIn(read, "95"), read.pin]).toEqual([results, tvr, undefined]);
  });

  test("does nothing where it does not", async () => {
    const at = await asked("visa-contact");
    await at.types("ENTER");
    expect(at.session.at()).toBe("typing");
  });
});

test("of two applications among which the merchant chooses nobody is asked", async () => {
  const at = await asked("us-common-debit");
  await at.types("1234", "ENTER");
  const read = readIn(at.news());
  expect([hexIn(read, "84"), hexIn(read, "9F06")]).toEqual(["A0000000980840", "A0000000980840"]);
});

test("a card that signs its cryptogram is known to be genuine", async () => {
  const at = await asked("cda");
  await at.types("1234", "ENTER");
  const read = readIn(at.news());
  expect([hexIn(read, "95"), hexIn(read, "9B"), hexIn(read, "9F4B")?.length]).toEqual(["0000048000", "E800", 256]);
});
