import { useEffect, useRef, useState } from "preact/hooks";
import { z } from "zod";
import { systemClock } from "../../kit/system-clock.ts";
import { DEED, type GatewayFault, orderOf, switchedOn } from "./gateway-faults.ts";
import { type LedgerLine, ledgerLines } from "./ledger-words.ts";
import { ask } from "./local-calls.ts";
import { faultsSchema, ledgerSchema, requestsSchema } from "./sandbox-schema.ts";

/** The sandbox gateway behind the bridge: ledger and faults. */
export interface GatewayHere {
  /** Undefined: not read yet. */
  readonly lines: readonly LedgerLine[] | undefined;
  readonly on: ReadonlySet<GatewayFault>;
  readonly problem: string | undefined;
  turn(fault: GatewayFault, on: boolean, declineCode: string): void;
}

/** The sandbox has no stream, so it is polled while the page is visible. */
const LOOK_EVERY_MS = 700;

interface Seen {
  readonly lines: readonly LedgerLine[] | undefined;
  readonly on: ReadonlySet<GatewayFault>;
  readonly problem: string | undefined;
}

async function look(sandbox: string): Promise<Seen> {
  const [{ bookings }, { requests }, { faults }] = await Promise.all([
    ask(sandbox, ["GET", "sandbox/v1/ledger"], ledgerSchema),
    ask(sandbox, ["GET", "sandbox/v1/requests"], requestsSchema),
    ask(sandbox, ["GET", "sandbox/v1/faults"], faultsSchema),
  ]);
  return { lines: ledgerLines(bookings, requests), on: switchedOn(faults), problem: undefined };
}

export function useGateway(sandbox: string): GatewayHere {
  const [seen, setSeen] = useState<Seen>({ lines: undefined, on: new Set(), problem: undefined });
  const again = useRef<() => void>(() => undefined);
  const failed = (error: unknown): void =>
    setSeen((before) => ({ ...before, problem: error instanceof Error ? error.message : String(error) }));

  useEffect(() => {
    let isOver = false;
    let cancel: (() => void) | undefined;
    const next = (): void => {
      if (!isOver) cancel = systemClock.after(LOOK_EVERY_MS, run);
    };
    const run = (): void => {
      cancel?.();
      if (document.hidden) next();
      else look(sandbox).then(setSeen, failed).finally(next);
    };
    again.current = run;
    run();
    return () => {
      isOver = true;
      cancel?.();
    };
  }, [sandbox]);

  const turn = (fault: GatewayFault, on: boolean, declineCode: string): void => {
    const path = on ? "sandbox/v1/faults" : `sandbox/v1/faults?do=${DEED[fault]}`;
    ask(sandbox, [on ? "POST" : "DELETE", path], z.unknown(), on ? orderOf(fault, declineCode) : undefined).then(
      () => again.current(),
      failed,
    );
  };
  return { ...seen, turn };
}
