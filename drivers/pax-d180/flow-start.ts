import type { CollectRequest } from "../../src/card/command.ts";
import { packedAmount, transactionData } from "../../src/emv/transaction-data.ts";
import { concat } from "../../src/kit/bytes.ts";
import { fromHex } from "../../src/kit/hex.ts";
import type { Ask } from "./flow.ts";
import { word } from "./message.ts";
import { setObject } from "./objects.ts";
import { SLOT } from "./slot.ts";
import { CHIP_STEP_MS, START_MS } from "./timing.ts";

/** The start command holds the amount in four bytes with a sign (PROTOCOL.md 6.3). */
const MOST_IN_START = 0x7fff_ffff;

/** The amount in the start command and the amount call-back: 0 if a separate command set it. */
export function amountInStart({ amount }: CollectRequest): number {
  return amount > MOST_IN_START ? 0 : amount;
}

/** Steps of a chip transaction up to its first cryptogram. `n` is the device's transaction counter (9F41). */
export function chipSteps(request: CollectRequest, n: number): readonly Ask[] {
  const ownAmount: Ask = { name: "set-amount", data: fromHex(packedAmount(request.amount) + packedAmount(0)) };
  return [
    { name: "init" },
    ...transactionData(request, ["9C", "5F2A", "5F36"]).map(({ tag, value }) => setObject(tag, value)),
    ...(request.amount > MOST_IN_START ? [ownAmount] : []),
    { name: "select", data: concat(SLOT, word(n)), limitMs: CHIP_STEP_MS },
    { name: "read-records", limitMs: CHIP_STEP_MS },
    { name: "authenticate-card", limitMs: CHIP_STEP_MS },
    { name: "start", data: concat(word(amountInStart(request)), word(0)), limitMs: START_MS },
  ];
}
