import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import type { Change } from "../../client/api.ts";
import type { RegisterClient } from "../../client/client.ts";
import { readTraced, technicianOf } from "../../client/technician.ts";
import { isoTime } from "../../kit/clock.ts";
import { systemClock } from "../../kit/system-clock.ts";
import { TokenForm } from "../bridge/token-form.tsx";
import { useBridge } from "../bridge/use-bridge.ts";
import { Frame } from "../design/frame.tsx";
import { ConnectionNotice, MissingScope } from "./admission.tsx";
import { type ConsoleSession, SessionContext } from "./console-session.ts";
import { checksNow } from "./shop-state.ts";
import { epochOf } from "./times.ts";
import { traced } from "./trace-lines.ts";
import { useLoad } from "./use-load.ts";
import { Views } from "./views.tsx";

const TERMINALS_EVERY_MS = 3_000;
const OPEN_EVERY_MS = 30_000;
/** Checking the credentials uses one of the gateway's two queries a minute. */
const CHECKS_EVERY_MS = 600_000;
const SCOPES = ["technician", "payments:all"];

/** The whole page. Views stay rendered without a connection, with the data read last. */
export function Console() {
  const [listeners] = useState(() => new Set<(change: Change) => void>());
  const [traces, trace] = useReducer(traced, {});
  const heardChange = (change: Change): void => {
    for (const heard of listeners) heard(change);
  };
  const heardTrace = (method: string, params: unknown): void => {
    const line = readTraced(method, params);
    if (line !== undefined) trace({ is: "heard", line });
  };
  const bridge = useBridge("console", heardChange, heardTrace);
  const { state, useToken } = bridge;
  const client = state.is === "open" ? state.client : undefined;
  const known = useRef<RegisterClient>(undefined);
  if (client !== undefined) known.current = client;
  if (state.is === "no-token") known.current = undefined;
  useEffect(() => {
    if (client === undefined) trace({ is: "cut", at: isoTime(systemClock.now()) });
  }, [client]);
  const onChange = useMemo(
    () => (heard: (change: Change) => void) => {
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
    [listeners],
  );
  const isTechnician = known.current?.scopes.includes("technician") === true;
  return (
    <Frame page="Console" bridge={bridge}>
      {(state.is === "no-token" || state.is === "refused") && (
        <TokenForm scopes={SCOPES} refused={state.is === "refused" ? state.why : undefined} onToken={useToken} />
      )}
      {known.current === undefined && (state.is === "connecting" || state.is === "lost") && (
        <ConnectionNotice state={state} />
      )}
      {known.current !== undefined && !isTechnician && state.is !== "refused" && (
        <MissingScope client={known.current} onToken={useToken} />
      )}
      {isTechnician && state.is !== "refused" && (
        <>
          {state.is === "lost" && <ConnectionNotice state={state} />}
          <Session client={client} traces={traces} trace={trace} onChange={onChange} />
        </>
      )}
    </Frame>
  );
}

type SessionProps = Pick<ConsoleSession, "client" | "traces" | "trace" | "onChange">;

/** Reads once what all views share. */
function Session({ client, onChange, ...rest }: SessionProps) {
  const terminals = useLoad({ client, read: (to) => to.terminals(), everyMs: TERMINALS_EVERY_MS });
  const open = useLoad({ client, read: (to) => technicianOf(to).openPayments(), everyMs: OPEN_EVERY_MS });
  const checks = useLoad({ client, read: (to) => technicianOf(to).checks(), everyMs: CHECKS_EVERY_MS });
  const clock = useLoad({ client, read: async (to) => epochOf(await to.ping()) - systemClock.now() });
  const now = { ...checks, value: checksNow(checks.value, terminals.value) };
  const reloads = useRef({ terminals: terminals.reload, open: open.reload });
  reloads.current = { terminals: terminals.reload, open: open.reload };
  useEffect(
    () =>
      onChange(() => {
        reloads.current.terminals();
        reloads.current.open();
      }),
    [onChange],
  );
  return (
    <SessionContext.Provider
      value={{ client, onChange, ...rest, terminals, open, checks: now, clockAheadMs: clock.value ?? 0 }}
    >
      <Views />
    </SessionContext.Provider>
  );
}
