import { describe, expect, test } from "vitest";
import {
  afterBypass,
  afterOfflinePin,
  beginVerification,
  type VerificationSupport,
} from "../../../packages/sandbox/testbed/cardholder-verification.ts";
import { fromHex } from "../../../src/kit/hex.ts";

const ALL: VerificationSupport = { onlinePin: true, offlinePin: true };
const NO_KEYS: VerificationSupport = { onlinePin: false, offlinePin: false };
const list = (rules: string): Uint8Array => fromHex(`0000000000000000${rules}`);

describe("the first rule that counts (EMV Book 3, 10.5)", () => {
  test.each<[string, VerificationSupport, string, string, number]>([
    ["410342035E031F00", ALL, "offline-pin", "410300", 0x00],
    ["440342035E031F00", ALL, "offline-pin", "440300", 0x00],
    ["42035E031F00", ALL, "online-pin", "420300", 0x04],
    ["410342035E031F00", NO_KEYS, "signature", "5E0300", 0x00],
    ["410342031F00", NO_KEYS, "none", "1F0002", 0x00],
    ["410342031F00", { onlinePin: true, offlinePin: false }, "online-pin", "420300", 0x04],
    ["1E00", ALL, "signature", "1E0000", 0x00],
    // "Always", and the terminal cannot: the rule fails, and only a rule that says so lets the next one count.
    ["02001F00", NO_KEYS, "failed", "3F0001", 0x80],
    ["42001F00", NO_KEYS, "none", "1F0002", 0x00],
    ["0403", NO_KEYS, "failed", "3F0001", 0x80],
    ["", ALL, "failed", "3F0001", 0x80],
  ])("of %s", (rules, support, method, results, tvr) => {
    expect(beginVerification(list(rules), support)).toMatchObject({ method, results, tvr });
  });
});

describe("a PIN that the card compares", () => {
  const rules = list("440342035E031F00");
  const begun = beginVerification(rules, ALL);
  const pin = (right: boolean, triesLeft: number) => ({ right, enciphered: true, triesLeft });

  test("is right", () => {
    expect(afterOfflinePin(rules, begun, pin(true, 3), ALL)).toMatchObject({
      method: "offline-pin",
      results: "440302",
      tvr: 0,
    });
  });

  test("is wrong, and another one may be typed", () => {
    expect(afterOfflinePin(rules, begun, pin(false, 1), ALL)).toBeUndefined();
  });

  test("is wrong for the last time: the next rule counts, and the TVR tells both", () => {
    expect(afterOfflinePin(rules, begun, pin(false, 0), ALL)).toMatchObject({
      method: "online-pin",
      results: "420300",
      tvr: 0x20 | 0x04,
    });
  });

  test("is wrong for the last time, and no rule may follow", () => {
    const alone = list("04031F03");
    expect(afterOfflinePin(alone, beginVerification(alone, ALL), pin(false, 0), ALL)).toMatchObject({
      method: "failed",
      results: "040301",
      tvr: 0x80 | 0x20,
    });
  });

  test("is not entered: the next rule counts, and an issuer is not told of a PIN that nobody typed", () => {
    const withoutCardPin = afterBypass(rules, begun, ALL);
    expect(withoutCardPin).toMatchObject({ method: "online-pin", tvr: 0x08 | 0x04 });
    expect(afterBypass(rules, withoutCardPin, ALL)).toMatchObject({
      method: "signature",
      results: "5E0300",
      tvr: 0x08,
    });
  });
});
