import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { Change } from "../../client/api.ts";
import type { RegisterClient } from "../../client/client.ts";
import { systemClock } from "../../kit/system-clock.ts";
import type { PaymentView } from "../../payment/view-schema.ts";
import type { Check } from "./known-terminal.ts";
import type { TraceAction, Traces } from "./trace-lines.ts";
import type { Loaded } from "./use-load.ts";

/** A terminal as the bridge reports it. */
export type Terminal = Awaited<ReturnType<RegisterClient["terminals"]>>[number];

/** Shared by all views of the console. */
export interface ConsoleSession {
  /** Undefined without a session. */
  readonly client: RegisterClient | undefined;
  readonly terminals: Loaded<readonly Terminal[]>;
  readonly open: Loaded<readonly PaymentView[]>;
  readonly checks: Loaded<readonly Check[]>;
  readonly traces: Traces;
  readonly trace: (action: TraceAction) => void;
  /** The bridge's clock minus this browser's, in milliseconds. */
  readonly clockAheadMs: number;
  /** Subscribes to changes of payments; returns the function that unsubscribes. */
  readonly onChange: (heard: (change: Change) => void) => () => void;
}

export const SessionContext = createContext<ConsoleSession | undefined>(undefined);

export function useSession(): ConsoleSession {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error("a view stands outside of the console's session");
  return session;
}

/** The bridge's time, updated every second. */
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

/** Calls back on changes of that payment, or of any if none is named. */
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
