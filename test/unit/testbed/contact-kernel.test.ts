import { describe, expect, test } from "vitest";
import { issuerAuthenticationData } from "../../../packages/sandbox/testbed/arpc.ts";
import { chipCard } from "../../../packages/sandbox/testbed/card.ts";
import {
  type ContactTransaction,
  complete,
  decideFirst,
  type KernelRequest,
  selectApplication,
} from "../../../packages/sandbox/testbed/contact-kernel.ts";
import {
  applicationCryptogram,
  cryptogramKey,
  cryptogramMessage,
} from "../../../packages/sandbox/testbed/cryptogram.ts";
import { cardNamed } from "../../../packages/sandbox/testbed/deck.ts";
import { findTag, type Tlv } from "../../../src/emv/tlv.ts";
import { fromAscii } from "../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";

const request: KernelRequest = {
  amount: "000000001234",
  currency: "0978",
  type: "00",
  date: "260115",
  time: "101500",
  unpredictableNumber: fromHex("1234ABCD"),
  sequence: 42,
};
const configuration = {
  country: "0276",
  terminalId: "SIM00001",
  serialNumber: "10000496",
  onlinePin: true,
  offlinePin: true,
  contactlessCvmLimit: 5000,
  capabilities: "E0F8C8",
};

function begin(name: string, on = configuration): ContactTransaction {
  const profile = cardNamed(name);
  if (profile === undefined) throw new Error(`no card ${name}`);
  return selectApplication(chipCard(profile), 5, request, on);
}

const hex = (data: readonly Tlv[], tag: string): string => toHex(findTag(data, tag) ?? new Uint8Array(0));

/** What an issuer that has nothing but the tags makes of them. */
function issuersView(transaction: ContactTransaction): string {
  const { chip } = transaction.card;
  const built = cryptogramMessage(chip.scheme, transaction.data);
  if (!built.ok) throw new Error(`missing ${built.missing}`);
  const key = cryptogramKey(
    chip.scheme,
    chip.masterKey,
    fromHex(hex(transaction.data, "9F36")),
    fromHex(hex(transaction.data, "9F37")),
  );
  return toHex(applicationCryptogram(chip.scheme, key, built.message));
}

function authentication(transaction: ContactTransaction, approved: boolean): Uint8Array {
  const { chip, first } = transaction.card;
  if (first === undefined) throw new Error("no cryptogram yet");
  return issuerAuthenticationData(
    chip.scheme,
    { card: chip.masterKey, session: first.key },
    first.cryptogram,
    approved,
    approved ? "00" : "05",
  );
}

describe.each(["visa-contact", "visa-contact-cvn18", "mastercard-contact"])("%s", (name) => {
  const first = decideFirst(begin(name));

  test("goes online with a cryptogram that an issuer verifies from the tags alone", () => {
    expect(first.decision).toBe("online");
    expect(hex(first.transaction.data, "9F26")).toBe(issuersView(first.transaction));
    expect(hex(first.transaction.data, "95")).toBe("8000048000");
    expect(hex(first.transaction.data, "9F34")).toBe("420300");
    expect(hex(first.transaction.data, "9F36")).toBe("0005");
    expect(hex(first.transaction.data, "9F41")).toBe("00000042");
  });

  test("ends in a TC that verifies when the issuer approves", () => {
    const done = complete(first.transaction, {
      responseCode: fromAscii("00"),
      authentication: authentication(first.transaction, true),
      scripts: [],
    });
    expect(done.verdict).toBe("approved");
    expect(hex(done.transaction.data, "9F27")).toBe("40");
    expect(hex(done.transaction.data, "9F26")).toBe(issuersView(done.transaction));
    // By its AIP a Mastercard takes no EXTERNAL AUTHENTICATE: the terminal did not do what it does not say it did.
    expect(hex(done.transaction.data, "9B")).toBe(name.startsWith("mastercard") ? "6800" : "7800");
    expect(hex(done.transaction.data, "95")).toBe("8000048000");
  });

  test("ends in an AAC that verifies when the issuer declines", () => {
    const done = complete(first.transaction, {
      responseCode: fromAscii("05"),
      authentication: authentication(first.transaction, false),
      scripts: [],
    });
    expect(done.verdict).toBe("declined");
    expect(hex(done.transaction.data, "9F27")).toBe("00");
    expect(hex(done.transaction.data, "9F26")).toBe(issuersView(done.transaction));
  });

  test("ends in an AAC when tag 91 is wrong, and its TVR says why where the terminal had sent it by EXTERNAL AUTHENTICATE", () => {
    const wrong = authentication(first.transaction, true).with(0, 0);
    const done = complete(first.transaction, { responseCode: fromAscii("00"), authentication: wrong, scripts: [] });
    expect(done.verdict).toBe("declined");
    expect(hex(done.transaction.data, "95")).toBe(name.startsWith("mastercard") ? "8000048000" : "8000048040");
    expect(hex(done.transaction.data, "9F26")).toBe(issuersView(done.transaction));
  });

  test.each(["Z3", "Y3"])("ends in an AAC after %s, unable to go online", (code) => {
    expect(complete(first.transaction, { responseCode: fromAscii(code), scripts: [] }).verdict).toBe("declined");
  });
});

test("a card without verification asks for no PIN, and one that decides offline says so in 8A", () => {
  const approves = decideFirst(begin("offline-approves"));
  expect(approves).toMatchObject({ decision: "approved-offline", transaction: { verification: { method: "none" } } });
  expect(hex(approves.transaction.data, "8A")).toBe(toHex(fromAscii("Y1")));
  expect(hex(approves.transaction.data, "9F27")).toBe("40");
  const declines = decideFirst(begin("offline-declines"));
  expect(declines.decision).toBe("declined-offline");
  expect(hex(declines.transaction.data, "8A")).toBe(toHex(fromAscii("Z1")));
  expect(hex(declines.transaction.data, "9F27")).toBe("00");
});

test("the card that refuses every issuer cryptogram declines after a right one", () => {
  const first = decideFirst(begin("wrong-arpc")).transaction;
  const done = complete(first, {
    responseCode: fromAscii("00"),
    authentication: authentication(first, true),
    scripts: [],
  });
  expect(done.verdict).toBe("declined");
  expect(hex(done.transaction.data, "95")).toBe("8000048040");
});

test("scripts are reported with their identifiers", () => {
  const first = decideFirst(begin("visa-contact")).transaction;
  const scripts = [fromHex("9F180401020304860D8424000008ED0AB162BAB1DE61"), fromHex("860D8424000008ED0AB162BAB1DE61")];
  const done = complete(first, { responseCode: fromAscii("00"), scripts });
  expect(hex(done.transaction.data, "9F5B")).toBe("20010203042000000000");
  expect(hex(done.transaction.data, "9B")).toBe("6C00");
});

describe("a terminal without a PIN pad", () => {
  const noPinPad = { ...configuration, onlinePin: false, offlinePin: false, capabilities: "E028C8" };

  test.each([
    ["visa-contact", "signature", "5E0300"],
    ["signature", "signature", "5E0300"],
    ["offline-approves", "none", "1F0002"],
  ])("takes the next rule of %s, which is %s, and says so", (name, verification, results) => {
    const transaction = begin(name, noPinPad);
    expect(transaction.verification.method).toBe(verification);
    const { data } = decideFirst(transaction).transaction;
    expect([hex(data, "9F33"), hex(data, "9F34")]).toEqual(["E028C8", results]);
    // TVR byte 3: no online PIN was entered.
    expect(Number.parseInt(hex(data, "95").slice(4, 6), 16) & 0x04).toBe(0);
  });
});
