import type { CrashPoint } from "./script.ts";

/**
 * The instructions at which the script has the process killed. Each is asked for wherever such an instruction runs;
 * each kills once.
 */
export interface Traps {
  /** Counts from now on for this payment, at this terminal. `spring` kills. */
  set(reference: string, terminal: string, point: CrashPoint, spring: () => void): void;
  /** An append of this payment; whoever asks kills, before the append or once it is on the disk. */
  appending(reference: string): { readonly durable: boolean; readonly spring: () => void } | undefined;
  passing(reference: string | undefined, nth: number, worked: boolean): void;
  /** How many bytes of the frame leave before the process dies; undefined where it lives. */
  writing(terminal: string): number | undefined;
  spoken(terminal: string): void;
}

interface Trap {
  readonly reference: string;
  readonly terminal: string;
  readonly point: CrashPoint;
  readonly spring: () => void;
  seen: number;
}

export function createTraps(): Traps {
  let traps: Trap[] = [];
  /** The first trap of this sort that was meant for now; all that wait for a later one have counted. */
  const take = <A extends CrashPoint["at"]>(
    at: A,
    whose: (trap: Trap) => boolean,
    isNow: (trap: Trap, point: Extract<CrashPoint, { at: A }>) => boolean,
  ): Trap | undefined => {
    if (traps.length === 0) return undefined;
    const due = traps.filter((trap) => isAt(trap.point, at) && whose(trap) && isNow(trap, trap.point));
    const [first] = due;
    traps = traps.filter((trap) => trap !== first);
    return first;
  };
  const counted = (trap: Trap, nth: number): boolean => {
    trap.seen += 1;
    return trap.seen > nth;
  };
  return {
    set: (reference, terminal, point, spring) => {
      traps = [
        ...traps.filter((trap) => trap.terminal !== terminal || trap.reference === reference),
        { reference, terminal, point, spring, seen: 0 },
      ];
    },
    appending: (reference) => {
      const trap = take(
        "append",
        (one) => one.reference === reference,
        (one, point) => counted(one, point.nth),
      );
      return trap?.point.at === "append" ? { durable: trap.point.durable, spring: trap.spring } : undefined;
    },
    passing: (reference, nth, worked) =>
      take(
        "request",
        (one) => one.reference === reference,
        (_, point) => point.nth === nth && point.worked === worked,
      )?.spring(),
    writing: (terminal) => {
      const trap = take(
        "frame",
        (one) => one.terminal === terminal,
        (one, point) => counted(one, point.nth),
      );
      trap?.spring();
      return trap?.point.at === "frame" ? trap.point.bytes : undefined;
    },
    spoken: (terminal) =>
      take(
        "card",
        (one) => one.terminal === terminal,
        (one, point) => counted(one, point.nth),
      )?.spring(),
  };
}

function isAt<A extends CrashPoint["at"]>(point: CrashPoint, at: A): point is Extract<CrashPoint, { at: A }> {
  return point.at === at;
}
