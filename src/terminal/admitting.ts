import type { Command } from "../card/command.ts";
import type { Notice } from "../card/notice.ts";
import { type AdmissionStep, admissionMove, type Expected } from "./admission.ts";
import { isRestDue, restReason } from "./restart-window.ts";
import { bookOwn, dispatchLater, endAll, feedCommand } from "./sending.ts";
import type { Core, TerminalTest, TestVerdict } from "./session-core.ts";

/**
 * A driver ends identify, set-clock and idle by itself. If one takes longer, the driver is stuck and the link is opened
 * again.
 */
const OWN_COMMAND_MS = 60_000;

export function expectedOf(core: Core): Expected {
  return {
    serialNumber: core.mood.serialNumber,
    onlinePin: core.on.model.capabilities.onlinePin,
    now: core.on.localTime(),
  };
}

/** Starts the check of the device behind the open link. */
export function beginAdmission(core: Core): void {
  core.mood.admission = {
    step: "identify",
    n: 0,
    stopGuard: () => undefined,
    startedAt: core.on.clock.monotonic(),
    told: undefined,
  };
  step(core, "identify", { do: "identify" });
}

function step(core: Core, name: AdmissionStep, command: Command): void {
  const { admission } = core.mood;
  if (admission === undefined) return;
  admission.stopGuard();
  admission.step = name;
  admission.stopGuard = core.on.clock.after(OWN_COMMAND_MS, () =>
    core.connection.drop(`${command.do} has no answer after ${OWN_COMMAND_MS} ms`, "soon"),
  );
  const pending = bookOwn(core, command);
  admission.n = pending.n;
  feedCommand(core, pending);
}

/** Handles the end of a session command; true: it belonged to the admission. */
export function admissionEnded(core: Core, ending: Notice): boolean {
  const { admission } = core.mood;
  if (admission === undefined || ending.n !== admission.n) return false;
  if (ending.on === "ready") {
    const answerMs = admission.told?.answerMs ?? core.on.clock.monotonic() - admission.startedAt;
    const { identity, keys, capabilities } = ending;
    admission.told = { identity, keys, ...(capabilities && { capabilities }), answerMs };
  }
  const move = admissionMove(admission.step, ending, expectedOf(core));
  switch (move.move) {
    case "send":
      step(core, move.step, move.command);
      break;
    case "admit":
      admit(core);
      break;
    case "refuse":
      core.connection.steady();
      refuse(core, move.reason);
      break;
    case "retry":
      core.connection.drop(move.reason, "soon");
      break;
  }
  return true;
}

function admit(core: Core): void {
  const { mood } = core;
  const told = mood.admission?.told;
  if (told === undefined) return;
  closeAdmission(core);
  core.connection.steady();
  if (mood.latched !== undefined) {
    answerTests(core, { ok: false, problem: mood.latched });
    return;
  }
  mood.serialNumber = told.identity.serialNumber;
  mood.lastTrouble = undefined;
  core.on.log.info(
    { terminal: core.on.id, serialNumber: told.identity.serialNumber, firmware: told.identity.firmware },
    "terminal is ready",
  );
  if (isRestDue(core)) core.standing.offline(restReason(core), told);
  else core.standing.ready(told);
  answerTests(core, { ok: true, ...told });
  for (const pending of mood.held.splice(0)) dispatchLater(core, pending);
}

/** Puts the terminal out of service for a reason that a clean identification may lift. */
export function refuse(core: Core, reason: string): void {
  const told = core.mood.admission?.told;
  closeAdmission(core);
  if (core.mood.latched === undefined) core.standing.outOfService(reason, told);
  core.on.log.error({ terminal: core.on.id, reason }, "terminal is out of service");
  endAll(core, "refused", `the terminal is out of service: ${reason}`);
  answerTests(core, { ok: false, problem: reason, ...(told && { told }) });
  clearDevice(core);
}

/** Ends an admission without a verdict: the link is lost, or a worse problem came first. */
export function abandonAdmission(core: Core, problem: string): void {
  closeAdmission(core);
  answerTests(core, { ok: false, problem });
}

function closeAdmission(core: Core): void {
  core.mood.admission?.stopGuard();
  core.mood.admission = undefined;
}

function answerTests(core: Core, verdict: TestVerdict): void {
  const status = core.standing.status();
  for (const resolve of core.mood.tests.splice(0)) resolve({ ...verdict, status });
}

/**
 * Identifies an idle device again. A clean answer also lifts the problem of an earlier identification; a test never
 * starts a payment.
 */
export function testTerminal(core: Core): Promise<TerminalTest> {
  const { mood, standing } = core;
  const status = standing.status();
  if (mood.restart !== undefined)
    return Promise.resolve({
      ok: false,
      status,
      problem: "it starts anew by itself in a moment; try again when it is back",
    });
  const busy = mood.engaged || (mood.admission === undefined && core.book.pending().length > 0);
  if (mood.stopped || !mood.linkUp) return Promise.resolve({ ok: false, status, problem: status.reason ?? "no link" });
  if (busy)
    return Promise.resolve({
      ok: false,
      status,
      problem: "the terminal is busy with a payment; try again when it is done",
    });
  return new Promise((resolve) => {
    mood.tests.push(resolve);
    if (mood.admission === undefined) beginAdmission(core);
  });
}

/** Sends the device to idle if a fault left a transaction open. The answer is ignored. */
export function clearDevice(core: Core): void {
  if (!core.mood.engaged) return;
  core.mood.engaged = false;
  feedCommand(core, bookOwn(core, { do: "cancel" }));
}
