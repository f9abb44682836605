import type { Command } from "../card/command.ts";
import type { FaultCode, Notice } from "../card/notice.ts";
import { PENDING_LIMIT, type PendingCommand } from "./command-book.ts";
import type { Core } from "./session-core.ts";

/** Numbers a command from outside. A refusal comes in a later turn, so that the caller has the number first. */
export function sendOutside(core: Core, command: Command): number {
  const n = core.book.number();
  const refusal = whyNot(core);
  if (refusal !== undefined) {
    core.on.clock.after(0, () => tell(core, { n, on: "fault", ...refusal }));
    return n;
  }
  const pending: PendingCommand = { n, command, origin: "outside" };
  core.book.open(pending);
  if (core.mood.admission === undefined) dispatchLater(core, pending);
  else core.mood.held.push(pending);
  return n;
}

function whyNot(core: Core): { readonly code: FaultCode; readonly detail: string } | undefined {
  const { state, reason } = core.standing.status();
  if (core.mood.stopped) return { code: "no-answer", detail: "this bridge is stopping" };
  if (state === "offline") return { code: "no-answer", detail: `the terminal is offline: ${reason ?? "no link"}` };
  if (state === "out-of-service")
    return { code: "refused", detail: `the terminal is out of service: ${reason ?? "not proven"}` };
  if (core.book.full()) return { code: "refused", detail: `${PENDING_LIMIT} commands wait already` };
  return undefined;
}

/** Passes the command to the driver after the caller's turn, unless it has already ended. */
export function dispatchLater(core: Core, pending: PendingCommand): void {
  queueMicrotask(() => {
    if (core.book.find(pending.n) !== undefined) feedCommand(core, pending);
  });
}

/**
 * Numbers a command of the session, whose notices stay inside. Store the number before `feedCommand`, which may end the
 * command at once.
 */
export function bookOwn(core: Core, command: Command): PendingCommand {
  const pending: PendingCommand = { n: core.book.number(), command, origin: "session" };
  core.book.open(pending);
  return pending;
}

export function feedCommand(core: Core, { n, command }: PendingCommand): void {
  if (command.do === "collect") {
    core.mood.engaged = true;
    core.mood.taken = true;
  }
  core.on.log.debug({ terminal: core.on.id, n, command: command.do }, "command to the terminal");
  core.runner.feed({ on: "command", n, command });
}

export function tell(core: Core, notice: Notice): void {
  core.announcer.announce({ on: "notice", notice });
}

/** Ends every pending command with this fault. */
export function endAll(core: Core, code: FaultCode, detail: string): void {
  core.mood.held = [];
  for (const { n, origin } of core.book.pending()) {
    core.book.end(n);
    if (origin === "outside") tell(core, { n, on: "fault", code, detail });
  }
}
