import { expect, test } from "vitest";
import { tdesKey } from "../../../packages/sandbox/testbed/des.ts";
import { hostKey } from "../../../packages/sandbox/testbed/dukpt.ts";
import { createMemory, emptyMemoryImage } from "../../../packages/sandbox/testbed/memory.ts";
import { createSecureModule } from "../../../packages/sandbox/testbed/secure-module.ts";
import { PUBLISHED_TEST_BDK } from "../../../packages/sandbox/testbed/test-keys.ts";
import { fromAscii } from "../../../src/kit/bytes.ts";
import { toHex } from "../../../src/kit/hex.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";

test("parts are sealed each by itself under one key, and the next card gets the next one", () => {
  const secure = createSecureModule(seededRandom(3), createMemory(emptyMemoryImage));
  const [first, second] = [
    secure.sealParts("data-request", [fromAscii("12345"), fromAscii("12345")]),
    secure.sealParts("data-request", []),
  ];
  const key = tdesKey(hostKey(PUBLISHED_TEST_BDK, first?.ksn ?? new Uint8Array(10), "data-request"));
  expect(first?.parts.map((part) => toHex(key.cbcDecrypt(part)))).toEqual(["3132333435000000", "3132333435000000"]);
  expect(toHex(second?.ksn ?? new Uint8Array(0)) > toHex(first?.ksn ?? new Uint8Array(0))).toBe(true);
});
