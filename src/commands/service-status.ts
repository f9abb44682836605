import type { BridgeStatus } from "../control/methods.ts";
import type { ManagedState, ServicePlatform } from "../service/plan.ts";
import type { ServiceMachine } from "./service-install.ts";
import { stateOf } from "./service-install.ts";

/** The service's state according to its manager, and to the bridge if it answers. */
export interface ServiceStatus extends ManagedState {
  /** Why it is not ready, one line each. */
  readonly reasons: readonly string[];
  readonly ready: boolean;
  readonly version?: string;
  readonly lastError?: string;
}

interface Asking {
  readonly platform: ServicePlatform;
  readonly machine: ServiceMachine;
  readonly dataDir: string;
  /** Queries the bridge of a data folder; a text if that is impossible. */
  readonly ask?: (dataDir: string) => Promise<BridgeStatus | string>;
}

export async function serviceStatus({ platform, machine, dataDir, ask = askBridge }: Asking): Promise<ServiceStatus> {
  const managed = machine.exists(platform.sign)
    ? stateOf({ platform, machine })
    : { installed: false, enabled: false, running: false, state: `${platform.manager} does not run on this machine` };
  const said = await ask(dataDir);
  if (typeof said === "string") return { ...managed, ready: false, reasons: [said] };
  const { version, startedAt, ready, reasons, lastError } = said;
  return {
    ...managed,
    since: startedAt,
    version,
    ready,
    reasons,
    ...(lastError && { lastError: `${lastError.at} ${lastError.text}` }),
  };
}

async function askBridge(dataDir: string): Promise<BridgeStatus | string> {
  const [{ askDaemon }, { bridgeStatus }, { systemClock }] = await Promise.all([
    import("../control/client.ts"),
    import("../control/methods.ts"),
    import("../kit/system-clock.ts"),
  ]);
  try {
    const asked = await askDaemon({ dataDir, clock: systemClock }, bridgeStatus, {});
    if (asked.is === "no-daemon") return `no bridge runs on ${dataDir}`;
    return asked.reply.ok ? asked.reply.value : asked.reply.message;
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    // Only root and the service's own user may ask it.
    return problem.includes("EACCES") ? `${problem}; ask as root: sudo posbridge service status` : problem;
  }
}

/** For a person, one fact a line. */
export function statusLines({
  installed,
  enabled,
  state,
  since,
  version,
  ready,
  reasons,
  failure,
  lastError,
}: ServiceStatus): readonly string[] {
  const yes = (is: boolean): string => (is ? "yes" : "no");
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["installed", yes(installed)],
    ["enabled", yes(enabled)],
    ["state", state],
    ["since", since],
    ["version", version],
    ["ready", ready ? "yes" : `no: ${reasons.join("; ")}`],
    ["last failure", failure],
    ["last error", lastError],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [`${`${name}:`.padEnd(14)}${value}`]));
}
