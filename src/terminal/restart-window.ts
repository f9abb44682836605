import type { Core } from "./session-core.ts";

/** Whether a device with an announced restart (`restart-soon`) must get no new payments now: nobody uses it. */
export function isRestDue({ mood, book }: Core): boolean {
  return (
    mood.restart !== undefined && !mood.taken && !mood.engaged && mood.held.length === 0 && book.pending().length === 0
  );
}

/** One line for a register that wants a payment meanwhile. */
export function restReason({ mood, on }: Core): string {
  const leftMs = mood.restart === undefined ? 0 : mood.restart.atMs - on.clock.monotonic();
  return `it starts anew by itself in ${Math.max(0, Math.ceil(leftMs / 1000))} s, as it does every day; it comes back on its own`;
}

/** Marks the terminal as not ready, once nobody uses it. */
export function restIfRestarting(core: Core): void {
  if (isRestDue(core) && core.standing.status().state === "ready") core.standing.offline(restReason(core));
}

/** The link is lost or new: the announced restart has happened. */
export function forgetRestart({ mood }: Core): void {
  mood.restart?.stopTimer();
  mood.restart = undefined;
}
