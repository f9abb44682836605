import type { CollectRequest } from "../../src/card/command.ts";
import type { Offer } from "../../src/card/offer.ts";
import { encodeTlvs } from "../../src/emv/tlv.ts";
import { transactionData } from "../../src/emv/transaction-data.ts";
import { ask, type Collect, type Device, type Step } from "./flow.ts";
import type { Member } from "./members.ts";
import { tlvPayload } from "./message.ts";
import { ANSWER_MS } from "./timing.ts";

/** START: the device waits for a card and runs its transaction (PROTOCOL.md 7.3). */
export function startTransaction(job: Collect, device: Device): Step {
  const asking = ask(device, "start", startPayload(job.request, job.offer, device.member));
  return {
    job: { ...job, phase: { at: "starting", ref: asking.ref } },
    device: asking.device,
    write: asking.write,
    timers: { answer: ANSWER_MS },
  };
}

/** No limit on the device: it would also limit the wait for the issuer (PROTOCOL.md 7.3). */
const UNLIMITED = 0x00;
/** Full EMV flow in the maker's data format, without quick chip. */
const OPTIONS = Uint8Array.of(0x00, 0x02);
const ON = Uint8Array.of(0x01);
const OFF = Uint8Array.of(0x00);
/** A number of any length, on the device's own pages, with a sound for each key. */
const MANUAL = Uint8Array.of(0x00, 0x00, 0x01);

/** EMV tags in START (PROTOCOL.md 7.3). */
const TAGS = ["9C", "9F02", "9F03", "5F2A", "5F36"] as const;

/** START names only the readers that the device has. */
function startPayload(
  request: CollectRequest,
  { chip, tap, magstripe, keyed }: Offer,
  { interfaces }: Pick<Member, "interfaces">,
): Uint8Array {
  const readers = tlvPayload(
    ...(interfaces.includes("stripe") ? [["81", magstripe ? ON : OFF] as const] : []),
    ...(interfaces.includes("chip") ? [["82", chip ? ON : OFF] as const] : []),
    ["83", tap ? ON : OFF],
    ...(keyed ? [["84", MANUAL] as const] : []),
  );
  return tlvPayload(
    ["82", Uint8Array.of(UNLIMITED)],
    ["A3", readers],
    ["84", OPTIONS],
    ["86", encodeTlvs(transactionData(request, TAGS))],
  );
}
