import type { SelfPortrait } from "./admission.ts";
import type { DriverModel } from "./driver.ts";
import type { TerminalStatus } from "./status.ts";

/** Keeps a terminal's status and reports each change once. */
export interface Standing {
  status(): TerminalStatus;
  /** Updates the identity without a change of state. */
  identified(told: SelfPortrait): void;
  ready(told: SelfPortrait): void;
  /** `told`: the report of a device that has a link nevertheless. */
  offline(reason: string, told?: SelfPortrait): void;
  /** `told`: the report of a refused device. */
  outOfService(reason: string, told?: SelfPortrait): void;
}

/** The device's report in the form of the status. */
type Device = Pick<TerminalStatus, "serialNumber" | "firmware" | "configuration" | "capabilities">;

export function createStanding(
  terminal: { readonly id: string; readonly model: DriverModel; readonly connection: string },
  changed: (status: TerminalStatus) => void,
): Standing {
  const { id, connection, model } = terminal;
  const fixed = { id, model: model.id, connection, hostWaitMs: model.hostWaitMs };
  let device: Device = { capabilities: model.capabilities };
  let status: TerminalStatus = { ...fixed, ...device, state: "offline", reason: "not connected yet" };
  /** The report in the current status. */
  let shown = device;
  const become = (next: Pick<TerminalStatus, "state" | "reason">): void => {
    if (device === shown && next.state === status.state && next.reason === status.reason) return;
    shown = device;
    status = { ...fixed, ...device, ...next };
    changed(status);
  };
  const met = ({
    identity: { serialNumber, firmware, configuration },
    capabilities = model.capabilities,
  }: SelfPortrait): void => {
    const told: Device = { serialNumber, firmware, configuration, capabilities };
    // A device usually repeats its report.
    if (JSON.stringify(told) !== JSON.stringify(device)) device = told;
  };
  return {
    status: () => status,
    identified: (told) => {
      met(told);
      const { state, reason } = status;
      become({ state, ...(reason !== undefined && { reason }) });
    },
    ready: (told) => {
      met(told);
      become({ state: "ready" });
    },
    offline: (reason, told) => {
      if (told !== undefined) met(told);
      become({ state: "offline", reason });
    },
    outOfService: (reason, told) => {
      if (told !== undefined) met(told);
      become({ state: "out-of-service", reason });
    },
  };
}
