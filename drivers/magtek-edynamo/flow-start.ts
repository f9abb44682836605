import type { CollectRequest } from "../../src/card/command.ts";
import type { Offer } from "../../src/card/offer.ts";
import { packedAmount } from "../../src/emv/transaction-data.ts";
import { concat } from "../../src/kit/bytes.ts";
import { fromHex } from "../../src/kit/hex.ts";
import { ask, type Collect, type Device, type Step } from "./flow.ts";
import type { Member } from "./members.ts";
import { extendedCommand } from "./message.ts";
import { ANSWER_MS } from "./timing.ts";

/** START: the device waits for a card and runs its transaction (PROTOCOL.md 7.3). */
export function startTransaction(job: Collect, device: Device): Step {
  const asking = ask(device, ...extendedCommand("start", startData(job.request, job.offer, device.member)));
  return {
    job: { ...job, phase: { at: "starting", ref: asking.sending.ref } },
    device: asking.device,
    write: asking.write,
    timers: { answer: ANSWER_MS },
  };
}

/** The device's longest limit; the driver measures the time itself. */
const LONGEST_WAIT = 0xff;
const MAGSTRIPE = 0x01;
const CHIP = 0x02;
const TAP = 0x04;
/** Normal mode, without quick chip. */
const NORMAL = 0x00;
/** Report every change. */
const TELL_ALL = 0x02;

function startData(request: CollectRequest, { chip, tap, magstripe }: Offer, member: Member): Uint8Array {
  const cards = (magstripe ? MAGSTRIPE : 0) | (chip ? CHIP : 0) | (tap ? TAP : 0);
  return concat(
    Uint8Array.of(LONGEST_WAIT, cards, NORMAL),
    fromHex(packedAmount(amountOf(request, member))),
    fromHex(request.transactionType),
    fromHex(packedAmount(0)),
    fromHex(`0${request.currencyNumeric}`),
    Uint8Array.of(TELL_ALL),
  );
}

/** Some members take a refund only with amount zero (PROTOCOL.md 7.10). */
export function amountOf(
  { amount, transactionType }: Pick<CollectRequest, "amount" | "transactionType">,
  { refundAmount }: Member,
): CollectRequest["amount"] {
  return transactionType === "20" && refundAmount === "zero" ? NOTHING : amount;
}

const NOTHING: CollectRequest["amount"] = 0;
