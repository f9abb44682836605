import { describe, expect, test } from "vitest";
import {
  beginTransaction,
  type CardTransaction,
  type ChipCard,
  chipCard,
  externalAuthenticate,
  firstGenerateAc,
  secondGenerateAc,
} from "../../../packages/sandbox/testbed/card.ts";
import type { CardProfile } from "../../../packages/sandbox/testbed/card-profile.ts";
import { cardNamed } from "../../../packages/sandbox/testbed/deck.ts";
import { findTag } from "../../../src/emv/tlv.ts";
import { toHex } from "../../../src/kit/hex.ts";
import { vector } from "./vectors.ts";

function profile(name: string): CardProfile {
  const found = cardNamed(name);
  if (found === undefined) throw new Error(`no card ${name}`);
  return found;
}

const chip = (name: string): ChipCard => chipCard(profile(name));

describe.each([
  ["visa-contact", "scenario.visa.contact.cvn10"],
  ["mastercard-contact", "scenario.mastercard.contact.10"],
])("%s against %s", (name, id) => {
  const row = vector(id);
  const terminal = row.tags().filter(({ tag }) => !["82", "9F36", "9F10"].includes(tag));
  const first = firstGenerateAc(beginTransaction(chip(name), 1), terminal, "ARQC");

  test("the card makes the ARQC and the issuer data of the vector", () => {
    expect(first.type).toBe("ARQC");
    expect(toHex(findTag(first.data, "9F26") ?? new Uint8Array(0))).toBe(row.outputText("arqc"));
    expect(toHex(findTag(first.data, "9F10") ?? new Uint8Array(0))).toBe(
      toHex(findTag(row.tags(), "9F10") ?? new Uint8Array(0)),
    );
    expect(toHex(findTag(first.data, "9F27") ?? new Uint8Array(0))).toBe("80");
  });

  test("the approving tag 91 of the vector leads to a TC, the declining one to an AAC although a TC was asked for", () => {
    for (const [tag91, authentication, type] of [
      ["tag91Approve", "approved", "TC"],
      ["tag91Decline", "declined", "AAC"],
    ] as const) {
      const authenticated = externalAuthenticate(first.transaction, row.output(tag91));
      expect(authenticated).toMatchObject({ status: "9000", transaction: { authentication } });
      expect(secondGenerateAc(authenticated.transaction, terminal, "TC", true).type).toBe(type);
    }
  });

  test("a wrong tag 91 is 6300 and ends in AAC, a wrong length 6700, a second try 6985", () => {
    const good = row.output("tag91Approve");
    const wrong = externalAuthenticate(first.transaction, good.with(0, (good[0] ?? 0) ^ 1));
    expect(wrong.status).toBe("6300");
    expect(secondGenerateAc(wrong.transaction, terminal, "TC", true).type).toBe("AAC");
    expect(externalAuthenticate(wrong.transaction, good).status).toBe("6985");
    expect(externalAuthenticate(first.transaction, good.subarray(0, 7)).status).toBe("6700");
  });
});

const terminal = vector("scenario.visa.contact.cvn10")
  .tags()
  .filter(({ tag }) => !["82", "9F36", "9F10"].includes(tag));
const afterFirst = (name: string): CardTransaction =>
  firstGenerateAc(beginTransaction(chip(name), 1), terminal, "ARQC").transaction;

/**
 * CVR bits of the answers given (Visa byte 2, M/Chip byte 1): the table of EMV practice that the recorded cards show.
 */
test.each([
  ["visa-contact", "ARQC", "A0", 8],
  ["offline-declines", "AAC", "80", 8],
  ["mastercard-contact", "ARQC", "A0", 4],
] as const)("%s: the results after %s say %s", (name, type, bits, at) => {
  const first = firstGenerateAc(beginTransaction(chip(name), 7), terminal, "ARQC");
  expect(first.type).toBe(type);
  expect(toHex(findTag(first.data, "9F10") ?? new Uint8Array(0)).slice(at, at + 2)).toBe(bits);
  expect(toHex(findTag(first.data, "9F36") ?? new Uint8Array(0))).toBe("0007");
});

describe("the second answer", () => {
  test("says TC or AAC in its results, and carries another cryptogram", () => {
    const transaction = afterFirst("visa-contact");
    const approved = secondGenerateAc(transaction, terminal, "TC", true);
    const declined = secondGenerateAc(transaction, terminal, "AAC", true);
    const results = (data: typeof approved.data) => toHex(findTag(data, "9F10") ?? new Uint8Array(0)).slice(8);
    // 60: TC after ARQC; third byte 04: no issuer authentication although online.
    expect(results(approved.data)).toBe("600400");
    expect(results(declined.data)).toBe("200400");
    expect(toHex(findTag(approved.data, "9F26") ?? new Uint8Array(0))).not.toBe(
      toHex(findTag(declined.data, "9F26") ?? new Uint8Array(0)),
    );
  });

  test("without a tag 91 is TC where the card may do without it, AAC where it must have it", () => {
    expect(secondGenerateAc(afterFirst("visa-contact"), terminal, "TC", true).type).toBe("TC");
    expect(secondGenerateAc(afterFirst("mastercard-contact"), terminal, "TC", true).type).toBe("AAC");
    expect(secondGenerateAc(afterFirst("visa-contact-cvn18"), terminal, "TC", true).type).toBe("AAC");
  });

  test("is AAC when the terminal could not go online, whatever it asks", () => {
    const offline = secondGenerateAc(afterFirst("visa-contact"), terminal, "TC", false);
    expect(offline.type).toBe("AAC");
    expect(toHex(findTag(offline.data, "9F10") ?? new Uint8Array(0)).slice(8)).toBe("210000");
  });

  test("is AAC from the card that declines after an approval", () => {
    expect(secondGenerateAc(afterFirst("contact-declines-after-approval"), terminal, "TC", true).type).toBe("AAC");
  });
});

test("a card answers lower than asked, never higher", () => {
  expect(firstGenerateAc(beginTransaction(chip("offline-approves"), 1), terminal, "TC").type).toBe("TC");
  expect(firstGenerateAc(beginTransaction(chip("offline-approves"), 1), terminal, "ARQC").type).toBe("ARQC");
  expect(firstGenerateAc(beginTransaction(chip("visa-contact"), 1), terminal, "TC").type).toBe("ARQC");
  expect(firstGenerateAc(beginTransaction(chip("visa-contact"), 1), terminal, "AAC").type).toBe("AAC");
});

test("a terminal that leaves out an element gets no cryptogram", () => {
  expect(() =>
    firstGenerateAc(
      beginTransaction(chip("visa-contact"), 1),
      terminal.filter(({ tag }) => tag !== "9A"),
      "ARQC",
    ),
  ).toThrow("without 9A");
});
