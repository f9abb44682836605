import { faceLines, screenOf } from "./display.ts";
import { type Ask, ask, type Collect, type Decided, type Device, fault, prompted, type Step } from "./flow.ts";
import { lookAfter } from "./flow-failed.ts";
import { startObjects } from "./flow-objects.ts";
import { chipSteps } from "./flow-start.ts";
import { startStop } from "./flow-stop.ts";
import type { CommandName, Heard } from "./message.ts";
import { AAC, AAC_OF_HOST, ARQC, rulingOf, TC } from "./outcomes.ts";
import { DENIED, deviceFault, OK, plainCode, statusText } from "./status-codes.ts";

/** Starts the transaction of the card in the slot (PROTOCOL.md 6.3). */
export function startChip(job: Collect, device: Device): Step {
  const told = prompted({ ...job, shown: "wait" }, job.request.again === "wrong-pin" ? "WRONG_PIN" : "PROCESSING");
  const closing: readonly Ask[] = job.offer.magstripe ? [{ name: "stripe-off" }] : [];
  const screen = screenOf(device, faceLines("wait", job.request, job.offer));
  const step = goOn(told.job, [...closing, ...screen, ...chipSteps(job.request, job.n)]);
  return { ...told, ...step, timers: { ...step.timers, card: "clear", poll: "clear" } };
}

function goOn(job: Collect, [first, ...left]: readonly Ask[]): Step {
  return first === undefined ? { job } : ask({ ...job, phase: { at: "chip", left } }, first);
}

export function chipAnswered(
  job: Collect,
  left: readonly Ask[],
  name: CommandName,
  heard: Extract<Heard, { is: "answer" }>,
  device: Device,
): Step {
  const { rc } = heard;
  switch (name) {
    case "init":
    case "set-amount":
      return rc === OK ? goOn(job, left) : refused(job, name, rc, device);
    case "select":
    case "read-records":
    case "authenticate-card":
      return ruled(job, left, name, rc, device);
    case "start":
      return started(job, heard, device);
    default:
      // Refused settings show in the objects read later (PROTOCOL.md 6.3), and a refused text changes nothing.
      return goOn(job, left);
  }
}

function refused(job: Collect, name: CommandName, rc: number, device: Device): Step {
  const problem = deviceFault(rc) ?? { code: "device-error", detail: `${name} was refused: ${statusText(rc)}` };
  return startStop(job, device, { answered: true, notices: [fault(job.n, problem.code, problem.detail)] });
}

function ruled(job: Collect, left: readonly Ask[], name: CommandName, rc: number, device: Device): Step {
  const ruling = rulingOf(rc);
  switch (ruling.is) {
    case "ok":
      return goOn(job, left);
    case "denied":
      return lookAfter(job, { n: job.n, on: "no-card", why: "not-supported" });
    case "cancelled":
      return lookAfter(job, { n: job.n, on: "cancelled", by: "customer" });
    case "no-card":
      return lookAfter(job, {
        n: job.n,
        on: "no-card",
        why: ruling.why === "timeout" && job.typesPin ? "pin-timeout" : ruling.why,
      });
    case "error":
      return refused(job, name, rc, device);
  }
}

/** The first cryptogram. Its type and the return code must agree (PROTOCOL.md 4.5). */
function started(job: Collect, { rc, data }: Extract<Heard, { is: "answer" }>, device: Device): Step {
  const [cryptogram] = data;
  const decided = decidedBy(rc, cryptogram);
  if (decided === "contradiction") {
    const detail = `the transaction ended with result ${statusText(rc)} and cryptogram ${cryptogram ?? "none"}`;
    // The transaction is declined with any kind of cryptogram.
    return startStop(job, device, { answered: true, denies: true, notices: [fault(job.n, "protocol", detail)] });
  }
  return decided === undefined ? ruled(job, [], "start", rc, device) : startObjects(job, decided, device);
}

function decidedBy(rc: number, cryptogram: number | undefined): Decided | "contradiction" | undefined {
  const code = plainCode(rc);
  const isDecline = cryptogram === AAC || cryptogram === AAC_OF_HOST;
  if (code === DENIED) return isDecline || cryptogram === undefined ? "declined-offline" : "contradiction";
  if (code !== OK) return undefined;
  if (cryptogram === ARQC) return "online";
  if (cryptogram === TC) return "approved-offline";
  return isDecline ? "declined-offline" : "contradiction";
}
