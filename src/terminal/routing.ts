import type { FaultCode, Notice } from "../card/notice.ts";
import { faultReason, identityProblem, type SelfPortrait } from "./admission.ts";
import { abandonAdmission, admissionEnded, clearDevice, expectedOf, refuse } from "./admitting.ts";
import { givenUp, isEnding, type PendingCommand, replacesOlder } from "./command-book.ts";
import type { KsnProblem } from "./ksn-watch.ts";
import { restIfRestarting } from "./restart-window.ts";
import { noteRestart } from "./restarting.ts";
import { endAll, tell } from "./sending.ts";
import type { Core } from "./session-core.ts";
import type { LogFields } from "./session-log.ts";

/** Passes one notice of the driver to the outside or to the session. A notice of an ended command is dropped. */
export function route(core: Core, notice: Notice): void {
  core.on.log.debug(
    { terminal: core.on.id, n: notice.n, notice: notice.on, ...noticeFields(notice) },
    "notice of the terminal",
  );
  const pending = core.book.find(notice.n);
  if (notice.n !== 0 && pending === undefined) {
    core.on.log.debug(
      { terminal: core.on.id, n: notice.n, notice: notice.on },
      "dropped a notice of a command that has ended",
    );
    return;
  }
  const sealed = notice.on === "card" ? notice.card : notice.on === "pin" ? { pin: notice.pin } : undefined;
  const problem = sealed && core.ksn.see(sealed);
  if (problem !== undefined) refuseCard(core, notice.n, problem);
  else if (pending === undefined) routeUnsolicited(core, notice);
  else if (pending.origin === "session") routeOwn(core, pending, notice);
  else routeOutside(core, pending, notice);
}

/** Fields of a notice for the log, without any card data. */
function noticeFields(notice: Notice): LogFields {
  switch (notice.on) {
    case "prompt":
      return { prompt: notice.prompt };
    case "no-card":
      return { why: notice.why };
    case "finished":
      return { verdict: notice.verdict };
    case "cancelled":
      return { by: notice.by };
    case "slot":
      return { card: notice.card };
    case "fault":
      return { code: notice.code, detail: notice.detail };
    case "restart-soon":
      return { inMs: notice.inMs };
    case "ready":
    case "card":
    case "pin":
    case "done":
    case "slot-untold":
      return {};
  }
}

/** A card with a forbidden key serial number: a fault replaces it, and the device must drop the transaction. */
function refuseCard(core: Core, n: number, { code, detail }: KsnProblem): void {
  core.mood.engaged = true;
  latch(core, code, detail);
  if (n === 0) tell(core, { n, on: "fault", code, detail });
}

function routeUnsolicited(core: Core, notice: Notice): void {
  if (notice.on === "fault" && latch(core, notice.code, notice.detail)) {
    tell(core, notice);
    return;
  }
  tell(core, notice);
  if (notice.on === "ready") judge(core, notice);
  if (notice.on === "restart-soon") noteRestart(core, notice.inMs);
}

function routeOwn(core: Core, { n }: PendingCommand, notice: Notice): void {
  if (!isEnding(notice)) return;
  core.book.end(n);
  const { farewell } = core.mood;
  if (farewell?.n === n) farewell.ended();
  else if (!admissionEnded(core, notice) && notice.on === "fault") latch(core, notice.code, notice.detail);
}

function routeOutside(core: Core, pending: PendingCommand, notice: Notice): void {
  if (!isEnding(notice)) {
    tell(core, notice);
    return;
  }
  if (notice.on === "fault" && latch(core, notice.code, notice.detail)) return;
  core.book.end(pending.n);
  noteEngagement(core, pending, notice);
  if (replacesOlder(pending.command, notice)) endOlder(core, pending);
  // Before the notice: a payment that waits for the terminal takes it in the same turn.
  if (pending.command.do === "idle") givenBack(core);
  tell(core, notice);
  if (notice.on === "ready") judge(core, notice);
}

/** The card transaction ends on the device when collect ends without a card, or when any later command ends. */
function noteEngagement(core: Core, { command }: PendingCommand, notice: Notice): void {
  // A refund's card gets no answer: its device goes idle by itself (card/command, CollectRequest).
  if (command.do === "collect")
    core.mood.engaged = notice.on === "fault" || (notice.on === "card" && command.request.transactionType === "00");
  else if (notice.on !== "fault" && (command.do === "complete" || command.do === "cancel" || command.do === "idle"))
    core.mood.engaged = false;
}

function givenBack(core: Core): void {
  core.mood.taken = false;
  restIfRestarting(core);
}

function endOlder(core: Core, newer: PendingCommand): void {
  for (const older of core.book.pending()) {
    if (older.n >= newer.n || older.origin === "session") continue;
    core.book.end(older.n);
    tell(core, givenUp(older, newer.command));
  }
}

function judge(core: Core, told: SelfPortrait): void {
  const problem = identityProblem(told, expectedOf(core));
  if (problem !== undefined) refuse(core, problem);
  else core.standing.identified(told);
}

/**
 * Puts the terminal out of service until it is plugged in again, if the fault requires that: all commands end with it,
 * and an open transaction is cancelled. False: any other fault.
 */
function latch(core: Core, code: FaultCode, detail: string): boolean {
  const reason = faultReason(code, detail);
  if (reason === undefined) return false;
  core.mood.latched = reason;
  core.standing.outOfService(reason);
  core.on.log.error({ terminal: core.on.id, code, reason }, "terminal is out of service");
  abandonAdmission(core, reason);
  endAll(core, code, detail);
  clearDevice(core);
  return true;
}
