import { CallRefused } from "../../src/client/errors.ts";
import type { TestTerminal } from "../scenarios/terminal.ts";
import type { Misfortune } from "./plan.ts";
import { later } from "./processes.ts";
import type { Entry } from "./record.ts";
import { note, type Register, type Send, started } from "./register.ts";
import type { Shop } from "./shop.ts";

/** How often each thing was done, by its name. */
export type Counts = Map<string, number>;

interface Struck {
  readonly shop: Shop;
  readonly terminal: TestTerminal;
  readonly register: Register;
  readonly counts: Counts;
  /** The payment that it befalls, and its start. */
  readonly entry?: Entry;
  readonly send?: Send;
}

/** Does it now. It counts only if there was something to strike: a card, a program that runs. */
export async function strike(on: Struck, misfortune: Misfortune): Promise<void> {
  if (await happens(on, misfortune)) {
    const name = "fault" in misfortune ? `${misfortune.is} ${misfortune.fault}` : misfortune.is;
    on.counts.set(name, (on.counts.get(name) ?? 0) + 1);
  }
}

async function happens(
  { shop: { bridge, sandbox, restartGateway }, terminal, register, entry, send }: Struck,
  misfortune: Misfortune,
): Promise<boolean> {
  switch (misfortune.is) {
    case "bridge killed":
      // A bridge that is just being restarted is killed as soon as it runs again: so many kills were ordered.
      while (!(await bridge.kill(misfortune.downMs))) await later(20);
      return true;
    case "bridge stopped":
      return bridge.stop(misfortune.killedAfterMs);
    case "gateway killed":
      return restartGateway(misfortune.downMs);
    case "gateway": {
      const { fault, delayMs, paymentType } = misfortune;
      const on = { path: "/v1/payments", ...(paymentType !== undefined && { paymentType }) };
      return didIt(sandbox.fault({ on, do: fault, delayMs }));
    }
    case "terminal": {
      if (!("mendMs" in misfortune)) return didIt(terminal.fault(misfortune.fault, misfortune.after));
      const began = await didIt(terminal.fault(misfortune.fault));
      await later(misfortune.mendMs);
      await didIt(terminal.fault(misfortune.fault === "unplug" ? "plug" : "reboot"));
      return began;
    }
    case "card pulled":
      return didIt(terminal.pull());
    case "register away":
      register.away(misfortune.forMs);
      return true;
    case "started again":
      return entry !== undefined && send !== undefined && startedAgain(register, entry, send);
    case "cancelled":
      return entry !== undefined && cancelled(register, entry);
  }
}

/** False if there is nothing of the kind to be done there, or the process is down. */
async function didIt(deed: Promise<void>): Promise<boolean> {
  return deed.then(
    () => true,
    () => false,
  );
}

async function startedAgain(register: Register, entry: Entry, send: Send): Promise<boolean> {
  const sentAt = Date.now();
  try {
    const reply = await register.askAside(send);
    if (reply !== undefined) started(entry, reply);
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
    entry.refusals.push({ sentAt, code: error.code });
  }
  return true;
}

async function cancelled(register: Register, entry: Entry): Promise<boolean> {
  try {
    const { cancellation, payment } = await register.ask((client) => client.cancel({ reference: entry.reference }));
    if (cancellation === "accepted") entry.cancelled = true;
    note(entry, payment);
    return true;
  } catch (error) {
    // A payment that was never accepted cannot be cancelled, and a bridge that stops takes nothing.
    if (!(error instanceof CallRefused)) throw error;
    return false;
  }
}
