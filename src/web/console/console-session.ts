import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { RegisterClient } from "../../client/client.ts";
import type { Change } from "../../client/line.ts";
import { systemClock } from "../../kit/system-clock.ts";
import type { PaymentView } from "../../payment/public.ts";
import type { Check } from "./known-terminal.ts";
import type { TraceAction, Traces } from "./trace-lines.ts";
import type { Loaded } from "./use-load.ts";

/** A terminal as the bridge tells it. */
export type Terminal = Awaited<ReturnType<RegisterClient["terminals"]>>[number];

/** What every view of the console has at hand. */
export interface ConsoleSession {
  /** Undefined while no session is open. */
  readonly client: RegisterClient | undefined;
  readonly terminals: Loaded<readonly Terminal[]>;
  readonly open: Loaded<readonly PaymentView[]>;
  readonly checks: Loaded<readonly Check[]>;
  readonly traces: Traces;
  readonly trace: (action: TraceAction) => void;
  /** The bridge's clock minus this browser's, in milliseconds. */
  readonly clockAheadMs: number;
  /** Calls back at every change of a payment; returns what ends that. */
  readonly onChange: (heard: (change: Change) => void) => () => void;
}

export const SessionContext = createContext<ConsoleSession | undefined>(undefined);

export function useSession(): ConsoleSession {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error("a view stands outside of the console's session");
  return session;
}

/** The bridge's time, each second anew. */
export function useBridgeTime(): number {
  const { clockAheadMs } = useSession();
  const [now, setNow] = useState(() => systemClock.now());
  useEffect(() => {
    let stop = (): void => undefined;
    const tick = (): void => {
      const at = systemClock.now();
      setNow(at);
      stop = systemClock.after(1_000 - ((at + clockAheadMs) % 1_000), tick);
    };
    tick();
    return () => stop();
  }, [clockAheadMs]);
  return now + clockAheadMs;
}

/** Calls back when that payment changes, or any where none is named. */
export function usePaymentChanges(heard: () => void, id?: string): void {
  const { onChange } = useSession();
  useEffect(
    () =>
      onChange(({ payment }) => {
        if (id === undefined || payment.id === id) heard();
      }),
    [onChange, heard, id],
  );
}
