import type { Notice } from "../../src/card/notice.ts";
import { ended, lost } from "../vipa/flow.ts";
import { isLate } from "./card-answer.ts";
import { type Collect, type Device, prompted, promptedAnew, type Step, settledBefore } from "./flow.ts";
import { readDecided, readForIssuer } from "./flow-read.ts";
import { startReset, startStop } from "./flow-stop.ts";
import { type Answer, type DeviceEvent, restartText } from "./message.ts";
import { isPinTyped } from "./online-pin.ts";
import { statusText } from "./status-codes.ts";
import { REMOVAL_MS } from "./timing.ts";

/** PROTOCOL.md 6.2: a status report during card work. */
export function statusTold(job: Collect, event: Extract<DeviceEvent, { is: "status" }>): Step {
  const { phase } = job;
  const restart = restartText(event);
  if (restart !== undefined)
    return lost([job.n], "device-error", `the device restarted while it was busy with a card: ${restart}`);
  switch (event.code) {
    case "02":
      return pinEntry(job, event);
    case "03":
      return phase.at === "running" ? prompted(job, "SELECT_APPLICATION") : { job };
    case "C0":
      return phase.at === "tapping" ? prompted(job, "SEE_PHONE") : { job };
    default:
      return { job };
  }
}

/** PROTOCOL.md 6.3: a text with OK ends PIN entry; a lower count of tries means that the last PIN was wrong. */
function pinEntry(job: Collect, event: Extract<DeviceEvent, { is: "status" }>): Step {
  const { phase } = job;
  if (phase.at !== "running" && phase.at !== "pin") return { job };
  if (isPinTyped(event)) return { ...prompted(job, "PROCESSING"), timers: { pin: "clear" } };
  if (phase.at === "pin") return { job };
  const before = phase.pinTries;
  const tries = event.pinTries ?? before;
  const next: Collect = { ...job, phase: { at: "running", ...(tries !== undefined && { pinTries: tries }) } };
  const isWrong = before !== undefined && tries !== undefined && tries < before;
  const isStillWrong = before !== undefined && job.prompt === "WRONG_PIN";
  const step = isWrong ? promptedAnew(next, "WRONG_PIN") : prompted(next, isStillWrong ? "WRONG_PIN" : "ENTER_PIN");
  return { ...step, timers: { pin: job.request.pinMs } };
}

/** PROTOCOL.md 7.4. An answer that does not fit START TRANSACTION belongs to an earlier command and is dropped. */
export function running(job: Collect, answer: Answer, device: Device): Step {
  switch (answer.is) {
    case "ok":
    case "other":
      return { job };
    case "refused":
      return refused(job, answer.statusWord, device);
    case "template":
      break;
  }
  switch (answer.template) {
    case "E4":
      return readForIssuer(job, answer.objects, settledBefore(device), "chip");
    case "E3":
      return { ...readDecided(job, answer.objects, "approved-offline", "chip"), device: settledBefore(device) };
    case "E5":
      if (isLate(answer.objects, device.dropped)) return { job };
      return { ...readDecided(job, answer.objects, "declined-offline", "chip"), device: settledBefore(device) };
    case "E2": {
      const detail = "the device asks for an application although it was to choose itself (E2)";
      return startStop(device, "held", [{ n: job.n, on: "fault", code: "protocol", detail }]);
    }
    case "E0":
    case "E1":
    case "E6":
      return { job };
  }
}

function refused(job: Collect, statusWord: string, device: Device): Step {
  const { n } = job;
  const noCard = (why: Extract<Notice, { on: "no-card" }>["why"]): Step => ended({ n, on: "no-card", why });
  switch (statusWord) {
    case "9F23":
      return noCard("removed");
    case "9F25":
      return noCard("blocked");
    case "9F28":
      return noCard("not-supported");
    case "9F30":
      // A pulled card looks like a chip error, and must not allow a magstripe fallback.
      if (device.slot?.card === false) return noCard("removed");
      return { job: { ...job, phase: { at: "read-error" } }, timers: { answer: REMOVAL_MS, pin: "clear" } };
    case "9F41":
      return ended({ n, on: "cancelled", by: "customer" });
    case "9F42":
      return noCard("timeout");
    case "9F43":
    case "9F44":
      // Only START CONTACTLESS ends this way, so its answer came twice.
      return { job };
    default:
      return startReset([
        { n, on: "fault", code: "device-error", detail: `START TRANSACTION ended with ${statusText(statusWord)}` },
      ]);
  }
}
