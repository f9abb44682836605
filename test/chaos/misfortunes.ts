import type { Kind } from "./kinds.ts";
import type { GatewayFault, Misfortune } from "./plan.ts";
import { later } from "./processes.ts";
import type { Entry } from "./record.ts";
import type { Shop } from "./shop.ts";
import type { Terminal } from "./terminals.ts";

/** How often each thing was done to the processes, by its name. */
export type Counts = Map<string, number>;

export function count(counts: Counts, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** SIGKILLs of a bridge are counted under this name, all else is a fault. */
export const KILL = "bridge killed";

/** What it is done to: a payment, or the deletion of a stored card, which has no kind. */
type Struck = Pick<Entry, "by"> & { readonly kind: Kind | "DELETION" };

/**
 * Where payments are booked: a link, and what a customer pays by it, has the type of a payment too, and is meant by a
 * path of its own.
 */
const BOOKS = "/v1/";

/** Strikes a payment of that kind now. It counts only where there was something to strike: a card, a program that runs. */
export async function strike(
  { bridge, gateway }: Shop,
  terminal: Terminal,
  { kind, by }: Struck,
  misfortune: Misfortune,
  counts: Counts,
): Promise<void> {
  switch (misfortune.is) {
    case "kill":
      // A bridge that is just being restarted is killed as soon as it runs again: so many kills were ordered.
      while (!(await bridge.kill(misfortune.downMs))) await later(20);
      return count(counts, KILL);
    case "stop":
      if (await bridge.stop(misfortune.killedAfterMs))
        count(counts, misfortune.killedAfterMs === undefined ? "bridge stopped" : "bridge stopped, then killed");
      return;
    case "gateway-kill":
      if (await gateway.keeper.kill(misfortune.downMs)) count(counts, "gateway killed");
      return;
    case "gateway": {
      const { fault } = misfortune;
      const fitting = terminal.isSingleMessage && kind === "SALE" && by === "card" ? debited(fault) : fault;
      const { paymentType, path = "" } = fitting.on;
      const on = paymentType === undefined ? fitting.on : { paymentType, path: BOOKS };
      if (await gateway.fault({ ...fitting, on }))
        count(
          counts,
          `gateway ${typeof fault.do === "string" ? fault.do : fault.do.result} on ${paymentType ?? path.slice(1)}`,
        );
      return;
    }
    case "terminal":
      if (await terminal.fault(misfortune.fault, misfortune.after)) count(counts, `terminal ${misfortune.fault}`);
      if (misfortune.mendMs !== undefined) await mend(terminal, misfortune.fault, misfortune.mendMs);
      return;
    case "card-pulled":
      if (await terminal.pull()) count(counts, "card pulled");
      return;
    case "red-key":
      if (await terminal.pressRed()) count(counts, "red key");
  }
}

/** A sale on a terminal that debits at once sends no reservation and no capture. */
function debited({ on, ...fault }: GatewayFault): GatewayFault {
  if (on.paymentType === "PA") return { ...fault, on: { paymentType: "DB" } };
  return on.paymentType === "CP" ? { ...fault, on: { paymentType: "RV" } } : { ...fault, on };
}

/** Somebody puts the cable back, or switches the terminal off and on. */
async function mend(terminal: Terminal, fault: string, afterMs: number): Promise<void> {
  await later(afterMs);
  await terminal.fault(fault === "unplug" ? "plug" : "reboot");
}
