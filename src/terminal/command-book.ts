import type { Command } from "../card/command.ts";
import type { Notice } from "../card/notice.ts";

/** Limit of pending commands at one terminal. A payment has two (collect and its cancel), the session one. */
export const PENDING_LIMIT = 16;

export interface PendingCommand {
  readonly n: number;
  readonly command: Command;
  /** Notices of the session's own commands stay inside. */
  readonly origin: "outside" | "session";
}

/** Pending commands by number. Each is removed once, so each ends once. */
export interface CommandBook {
  /** The next number. */
  number(): number;
  open(pending: PendingCommand): void;
  full(): boolean;
  find(n: number): PendingCommand | undefined;
  /** Removes the command; undefined if it already ended. */
  end(n: number): PendingCommand | undefined;
  /** Oldest first. */
  pending(): readonly PendingCommand[];
}

export function createCommandBook(): CommandBook {
  const book = new Map<number, PendingCommand>();
  let last = 0;
  return {
    number: () => {
      last += 1;
      return last;
    },
    open: (pending) => {
      book.set(pending.n, pending);
    },
    full: () => book.size >= PENDING_LIMIT,
    find: (n) => book.get(n),
    end: (n) => {
      const pending = book.get(n);
      book.delete(n);
      return pending;
    },
    pending: () => [...book.values()],
  };
}

/** Whether a notice is the last one of its command. */
export function isEnding(notice: Notice): boolean {
  switch (notice.on) {
    case "ready":
    case "card":
    case "pin":
    case "no-card":
    case "finished":
    case "cancelled":
    case "done":
    case "fault":
      return true;
    case "prompt":
    case "slot":
    case "slot-untold":
    case "restart-soon":
      return false;
  }
}

/** Whether this command's end also ends older ones on the device, which it redirected or reset. */
export function replacesOlder(command: Command, ending: Notice): boolean {
  if (ending.on === "fault") return false;
  return command.do === "cancel" || command.do === "idle" || command.do === "collect" || command.do === "complete";
}

/** The end of an older command that the device dropped silently. A card's decision in a completion stays unknown. */
export function givenUp(older: PendingCommand, newer: Command): Notice {
  const wasSetBack = newer.do === "cancel" || newer.do === "idle";
  if (older.command.do === "collect" && wasSetBack) return { n: older.n, on: "cancelled", by: "register" };
  return {
    n: older.n,
    on: "fault",
    code: "no-answer",
    detail: `${older.command.do} had no end before ${newer.do} had one`,
  };
}
