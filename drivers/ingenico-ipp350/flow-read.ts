import type { CardInterface } from "../../src/card/card-data.ts";
import type { Offer } from "../../src/card/offer.ts";
import { readTracks, serviceCodeIn } from "./card-answer.ts";
import { type Collect, type Device, ended, fault, prompted, type Step } from "./flow.ts";
import { reported } from "./flow-ask-pin.ts";
import { startEmv } from "./flow-running.ts";
import { again, halt } from "./flow-start.ts";
import type { CardRead } from "./message.ts";
import { AUTHORIZE_MS } from "./timing.ts";

/** The answer to 23. (PROTOCOL.md 6.4): the exit code and the reader. */
export function cardRead(job: Collect, read: CardRead, device: Device): Step {
  const { n } = job;
  switch (read.exit) {
    case "0":
      return good(job, read, device);
    case "1":
      return read.source === "S" ? halt(device, { n, on: "no-card", why: "chip-unreadable" }) : again(job, device);
    case "2":
      return ended({ n, on: "cancelled", by: "customer" });
    case "4":
    case "5":
      return halt(device, { n, on: "no-card", why: "use-chip" });
    case "7":
      return halt(device, fault(n, "keys-missing", "the device could not encrypt the card's data (23. exit 7)"));
    case "a":
      // A repeated 23., sent because its acknowledgement was lost, ends the first one. The second continues.
      return { job };
    default:
      return halt(
        device,
        fault(n, "device-error", `the card could not be read: ${EXITS[read.exit] ?? `exit ${read.exit}`}`),
      );
  }
}

const EXITS: Readonly<Record<string, string>> = {
  "3": "a button was pressed",
  "6": "the prompt's number is not valid on this device (option cardPrompt)",
  "8": "bad key card",
  "9": "bad format",
  A: "no amount was set, and contactless is off",
  R: "a reader that was asked for is off",
};

/** The offered card interface for each source letter of 23. */
const READERS: Readonly<Record<string, keyof Offer>> = {
  S: "chip",
  Q: "chip",
  E: "tap",
  C: "tap",
  M: "magstripe",
  H: "keyed",
};

function good(job: Collect, read: CardRead, device: Device): Step {
  const { n, request } = job;
  const way = READERS[read.source];
  if (way !== undefined && !job.offer[way])
    return halt(device, fault(n, "protocol", "a card was read by a reader that was not asked for"));
  switch (read.source) {
    case "S":
      return startEmv(request.again === "wrong-pin" ? { job } : prompted(job, "PROCESSING"));
    case "E":
      return {
        job: { ...job, phase: { at: "authorizing", via: "contactless-chip" } },
        timers: { card: "clear", answer: AUTHORIZE_MS },
      };
    case "M":
      return swiped(job, read, device);
    case "C":
      return tracksRead(job, read, "contactless-magstripe", device);
    case "H":
      return tracksRead(job, read, "keyed", device);
    case "Q":
      return halt(
        device,
        fault(
          n,
          "misconfigured",
          "it did a quick chip transaction, which lets a card go before its issuer has answered (19_21 must be 0)",
        ),
      );
    default:
      return halt(
        device,
        fault(n, "device-error", `a card was read by a reader that is not known here: ${read.source}`),
      );
  }
}

/** A chip card belongs in the slot if the device has one. An unreadable chip is the exception. */
function swiped(job: Collect, read: CardRead, device: Device): Step {
  const { n, offer } = job;
  if (read.tracks.every((track) => track === "")) return again(job, device);
  if (!offer.fallback && device.capabilities.interfaces.includes("chip") && serviceCodeIn(read)?.hasChip === true)
    return halt(device, { n, on: "no-card", why: "use-chip" });
  return tracksRead(job, read, "magstripe", device);
}

function tracksRead(
  job: Collect,
  read: CardRead,
  via: Extract<CardInterface, "magstripe" | "contactless-magstripe" | "keyed">,
  device: Device,
): Step {
  const reading = readTracks(read, via, job.request);
  return reported(job, reading, { via: "nobody", takesPin: via !== "keyed" }, device);
}
