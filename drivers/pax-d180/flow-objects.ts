import { readCard } from "./card-answer.ts";
import {
  type Ask,
  ask,
  type Collect,
  type Collecting,
  type Decided,
  type Device,
  ended,
  fault,
  type Sealing,
  type Step,
  type Told,
} from "./flow.ts";
import { startStop } from "./flow-stop.ts";
import type { CommandName, Heard } from "./message.ts";
import { FIRST_OBJECTS, getObject, NUMBER, TRACK_2, valueIn } from "./objects.ts";
import { deviceFault, OK, PED_NEXT_KSN, plainCode, SEALED } from "./status-codes.ts";

type Objects = Extract<Collecting, { at: "objects" }>;
type Answer = Extract<Heard, { is: "answer" }>;

/** Reads the card's objects one by one, the encrypted ones last (PROTOCOL.md 4.3 and 4.7). */
export function startObjects(job: Collect, decided: Decided, device: Device): Step {
  return goOn(job, device, { at: "objects", left: [...FIRST_OBJECTS, TRACK_2].map(getObject), decided, found: [] });
}

function goOn(job: Collect, device: Device, { left: [first, ...left], ...phase }: Objects): Step {
  if (first !== undefined) return ask({ ...job, phase: { ...phase, left } }, first);
  return startSealing(job, { via: "chip", decided: phase.decided, found: phase.found }, device);
}

export function objectAnswered(
  job: Collect,
  phase: Objects,
  { name, tag }: Ask,
  { rc, data }: Answer,
  device: Device,
): Step {
  if (name !== "get-object" || tag === undefined) return goOn(job, device, phase);
  if (rc === OK || rc === SEALED) return told(job, phase, tag, rc === SEALED, valueIn(data), device);
  const problem = deviceFault(rc);
  if (problem !== undefined)
    return startStop(job, device, { answered: true, notices: [fault(job.n, problem.code, problem.detail)] });
  // The key's counter was not raised after the last card.
  if (plainCode(rc) === PED_NEXT_KSN && !job.raisedFirst) {
    return goOn({ ...job, raisedFirst: true }, device, {
      ...phase,
      left: [raising(device), getObject(tag), ...phase.left],
    });
  }
  return withoutValue(job, phase, tag, device);
}

function told(
  job: Collect,
  phase: Objects,
  tag: string,
  isSealed: boolean,
  value: Uint8Array | undefined,
  device: Device,
): Step {
  if (value === undefined)
    return startStop(job, device, {
      answered: true,
      notices: [fault(job.n, "protocol", `an answer with ${tag} whose length is wrong`)],
    });
  if (value.length === 0) return withoutValue(job, phase, tag, device);
  const one: Told = { tag, value, isSealed };
  return goOn(job, device, { ...phase, found: [...phase.found, one] });
}

/** A card without track 2 may still have a number. */
function withoutValue(job: Collect, phase: Objects, tag: string, device: Device): Step {
  return goOn(job, device, tag === TRACK_2 ? { ...phase, left: [...phase.left, getObject(NUMBER)] } : phase);
}

function raising({ options }: Device): Ask {
  return { name: "next-ksn", data: Uint8Array.of(options.keyGroup) };
}

/**
 * Reads one KSN for all encrypted data, then raises the counter, so that no two cards share a KSN (PROTOCOL.md 4.7).
 */
export function startSealing(job: Collect, card: Sealing, { options }: Device, left: readonly Ask[] = []): Step {
  return ask({ ...job, phase: { at: "sealing", left, card } }, { name: "ksn", data: Uint8Array.of(options.keyGroup) });
}

const KSN_BYTES = 10;

export function sealingAnswered(
  job: Collect,
  phase: Extract<Collecting, { at: "sealing" }>,
  name: CommandName,
  { rc, data }: Answer,
  device: Device,
): Step {
  const { card, left } = phase;
  if (name !== "ksn") return sealingGoesOn(job, card, left, device);
  const problem = deviceFault(rc);
  if (problem !== undefined)
    return startStop(job, device, { answered: true, notices: [fault(job.n, problem.code, problem.detail)] });
  const isThere = rc === OK && data.length === KSN_BYTES;
  return sealingGoesOn(
    job,
    isThere ? { ...card, ksn: data } : card,
    isThere ? [raising(device), ...left] : left,
    device,
  );
}

function sealingGoesOn(job: Collect, card: Sealing, [first, ...left]: readonly Ask[], device: Device): Step {
  return first === undefined ? read(job, card, device) : ask({ ...job, phase: { at: "sealing", left, card } }, first);
}

/**
 * The card waits for its issuer from here on, unless its data is unusable, this is a refund, or the card decided
 * offline.
 */
function read(job: Collect, card: Sealing, device: Device): Step {
  const { n, request } = job;
  const reading = readCard(card, request);
  if (!reading.ok) return startStop(job, device, { answered: true, notices: [fault(n, reading.code, reading.detail)] });
  const notice = { n, on: "card", card: reading.card } as const;
  if (card.decided !== "online") return ended(notice);
  if (request.transactionType === "20")
    return card.via === "chip" ? startStop(job, device, { answered: true, notices: [notice] }) : ended(notice);
  return { ...ended(notice), device: { ...device, held: reading.held } };
}
