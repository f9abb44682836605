import type { Notice } from "../../src/card/notice.ts";
import { clearable } from "../../src/emv/tags.ts";
import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { forgetting } from "../../src/terminal/one-job.ts";
import { ended } from "../vipa/flow.ts";
import { encodeTemplate } from "../vipa/message.ts";
import { leakIn, repeated } from "./card-answer.ts";
import { type Collect, type Device, framesOf, prompted, promptedAnew, type Running, type Step } from "./flow.ts";
import { readDecided, readForIssuer } from "./flow-read.ts";
import { carriedOn, noQuickChip } from "./flow-start.ts";
import { startReset, startStop } from "./flow-stop.ts";
import { type Answer, type DeviceEvent, insidesOf, leavesOf, tags, templates } from "./message.ts";
import { sealedIn } from "./sealed.ts";
import { faultOf, statusText } from "./status-codes.ts";
import { REMOVAL_MS } from "./timing.ts";

/** C3 of E6 (PROTOCOL.md 6.2): PIN entry started, PIN wanted. */
const PIN_CODES: readonly string[] = ["02", "0C"];

/**
 * PROTOCOL.md 6.2: a status report during chip work. Before the card's data was read it can only concern the
 * application selection.
 */
export function statusTold(job: Collect, phase: Running, event: Extract<DeviceEvent, { is: "status" }>): Step {
  if (!PIN_CODES.includes(event.code)) return phase.isFirst ? { job } : prompted(job, "SELECT_APPLICATION");
  const before = phase.pinTries;
  const tries = event.pinTries ?? before;
  const next: Collect = { ...job, phase: { ...phase, hasPin: true, ...(tries !== undefined && { pinTries: tries }) } };
  const isWrong = before !== undefined && tries !== undefined && tries < before;
  const isStillWrong = before !== undefined && job.prompt === "WRONG_PIN";
  const step = isWrong ? promptedAnew(next, "WRONG_PIN") : prompted(next, isStillWrong ? "WRONG_PIN" : "ENTER_PIN");
  return { ...step, timers: { pin: job.request.pinMs } };
}

/**
 * PROTOCOL.md 7.3 and 7.4. An answer that does not fit START or CONTINUE TRANSACTION belongs to an earlier command and
 * is dropped.
 */
export function running(job: Collect, phase: Running, answer: Answer, device: Device): Step {
  switch (answer.is) {
    case "ok":
    case "list":
    case "text":
      return { job };
    case "refused":
      return refused(job, phase, answer.statusWord, device);
    case "template":
      break;
  }
  const { sealed: before } = phase;
  const objects = answer.objects;
  switch (answer.template) {
    case "E2":
      return decisionWanted(job, phase, objects, device);
    case "E4":
      return (
        pinProblem(job, objects, device) ??
        readForIssuer(job, objects, device, { via: "chip", isMagstripe: false, before, hasPin: phase.hasPin })
      );
    case "E3":
      return readDecided(job, objects, "approved-offline", device, "chip", before);
    case "E5":
      return pinProblem(job, objects, device) ?? readDecided(job, objects, "declined-offline", device, "chip", before);
    case "E0":
      return phase.isFirst ? quickChip(job, device) : { job };
    case "E1":
    case "E6":
    case "E7":
    case "E8":
    case "6F":
      return { job };
  }
}

/**
 * E0 after the first CONTINUE: the device ends before the issuer is asked, although it was configured not to
 * (PROTOCOL.md 7.3).
 */
function quickChip({ n }: Collect, device: Device): Step {
  const notice: Notice = { n, on: "fault", code: "misconfigured", detail: QUICK_CHIP };
  return startStop(forgetting(device), [notice], ["abort", "reset", "status"]);
}

const QUICK_CHIP =
  "it runs quick chip (it answered the first CONTINUE with E0) although START switches that off (DFCC79 00), so that the card never gets its issuer's answer; " +
  "have quick chip switched off in its EMV configuration";

/** DFA20A: result of the device's own PIN entry. */
const PIN_TIMED_OUT = 0x01;
const PIN_CANCELLED = 0x02;

/** A card whose customer refused the PIN or let it time out is not reported (PROTOCOL.md 7.4). */
function pinProblem(job: Collect, objects: readonly Tlv[], device: Device): Step | undefined {
  const { n } = job;
  const [result] = findTag(leavesOf(objects), tags.pinResult) ?? [];
  if (result === PIN_TIMED_OUT) return startReset(forgetting(device), [{ n, on: "no-card", why: "pin-timeout" }]);
  return result === PIN_CANCELLED
    ? startReset(forgetting(device), [{ n, on: "cancelled", by: "customer" }])
    : undefined;
}

/** E2: the device asks for an application, or whether a card that was read may continue (PROTOCOL.md 7.3). */
function decisionWanted(job: Collect, phase: Running, objects: readonly Tlv[], device: Device): Step {
  const fault = (code: "protocol" | "clear-card-data" | "keys-missing" | "misconfigured", detail: string): Step =>
    startStop(forgetting(device), [{ n: job.n, on: "fault", code, detail }], ["abort", "reset", "status"]);
  if (phase.isFirst)
    return fault("protocol", "the device wants a decision (E2) after the card was asked for its cryptogram");
  const leak = leakIn(objects);
  if (leak !== undefined) return fault("clear-card-data", leak);
  const applications = isCardData(objects) ? [] : applicationsIn(objects);
  const [first] = applications;
  if (first !== undefined)
    return { job, write: framesOf("continue-transaction", { data: encodeTemplate("E0", [first]) }) };
  const sealing = sealedIn(objects, device.options);
  if (sealing.is === "unusable")
    return fault(sealing.code === "keys-missing" ? "keys-missing" : "misconfigured", sealing.detail);
  const next: Running = { ...phase, isFirst: true, ...(sealing.is === "sealed" && { sealed: sealing.sealed }) };
  const isSale = job.request.transactionType === "00";
  const decision = { tag: tags.decision, value: Uint8Array.of(isSale ? ASK_ISSUER : ASK_FOR_AAC) };
  const data = encodeTemplate("E0", [...carriedOn(repeated(job.request), device.options), decision, noQuickChip]);
  return { job: { ...job, phase: next }, write: framesOf("continue-transaction", { p1: VERIFY, data }) };
}

/** C0 of the first CONTINUE: continue, or refuse. */
const ASK_ISSUER = 0x01;
const ASK_FOR_AAC = 0x00;
/** P1 of the first CONTINUE: the host has checked the card's data (PROTOCOL.md 7.3). */
const VERIFY = 0x01;

/** Objects that only an E2 after application selection contains. */
function isCardData(objects: readonly Tlv[]): boolean {
  return (
    insidesOf(objects, templates.sealed).length > 0 ||
    ["C1", "57", "5A"].some((tag) => findTag(objects, tag) !== undefined)
  );
}

/**
 * Applications to choose from, in order of priority (87, lowest number first). A device that can ask the customer does
 * not send them.
 */
function applicationsIn(objects: readonly Tlv[]): readonly Tlv[] {
  const list = objects.flatMap((object, at) => {
    if (object.tag !== "9F06") return [];
    const follower = objects[at + 1];
    const priority = follower?.tag === "87" ? (follower.value[0] ?? 0) & 0x0f : 0;
    return [{ object, priority: priority === 0 ? LAST : priority }];
  });
  return clearable([...list].sort((a, b) => a.priority - b.priority).map(({ object }) => object));
}

/** EMV Book 1, 12.2.3: applications without a priority come last. */
const LAST = 0x10;

function refused(job: Collect, phase: Running, statusWord: string, device: Device): Step {
  const { n } = job;
  const noCard = (why: Extract<Notice, { on: "no-card" }>["why"]): Step => ended({ n, on: "no-card", why });
  switch (statusWord) {
    case "9F23":
      return noCard("removed");
    case "9F50":
      return noCard("blocked");
    case "9F25":
      return unreadable(job, "chip-unreadable", device);
    case "9F28":
      return unreadable(job, "not-supported", device);
    case "9F41":
    case "9F43":
      return phase.isPinOver ? noCard("pin-timeout") : ended({ n, on: "cancelled", by: "customer" });
    default: {
      const command = phase.isFirst ? "CONTINUE TRANSACTION" : "START TRANSACTION";
      return startReset(device, [
        { n, on: "fault", code: faultOf(statusWord), detail: `${command} ended with ${statusText(statusWord)}` },
      ]);
    }
  }
}

/** A pulled card may look like a chip error, and must not allow a magstripe fallback (PROTOCOL.md 7.3). */
function unreadable(job: Collect, why: "chip-unreadable" | "not-supported", device: Device): Step {
  if (device.slot?.card === false) return ended({ n: job.n, on: "no-card", why: "removed" });
  return { job: { ...job, phase: { at: "read-error", why } }, timers: { answer: REMOVAL_MS, pin: "clear" } };
}
