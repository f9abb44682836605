import type { SelfPortrait } from "./admission.ts";
import type { DriverModel } from "./driver.ts";
import type { TerminalStatus } from "./status.ts";

/** How a terminal stands: keeps its status and tells every change of it once. */
export interface Standing {
  status(): TerminalStatus;
  /** Who it is, without a change of its state. */
  identified(told: SelfPortrait): void;
  ready(told: SelfPortrait): void;
  /** `told`: by a device that has a link all the same. */
  offline(reason: string, told?: SelfPortrait): void;
  /** `told`: by a device that is refused for what it told. */
  outOfService(reason: string, told?: SelfPortrait): void;
}

/** What a device tells of itself, as the status has it. */
type Device = Pick<TerminalStatus, "serialNumber" | "firmware" | "configuration" | "capabilities">;

export function createStanding(
  terminal: { readonly id: string; readonly model: DriverModel; readonly connection: string },
  changed: (status: TerminalStatus) => void,
): Standing {
  const { id, connection, model } = terminal;
  const fixed = { id, model: model.id, connection, hostWaitMs: model.hostWaitMs };
  let device: Device = { capabilities: model.capabilities };
  let status: TerminalStatus = { ...fixed, ...device, state: "offline", reason: "not connected yet" };
  /** Of what the status was made. */
  let shown = device;
  const become = (next: Pick<TerminalStatus, "state" | "reason">): void => {
    if (device === shown && next.state === status.state && next.reason === status.reason) return;
    shown = device;
    status = { ...fixed, ...device, ...next };
    changed(status);
  };
  const met = ({ identity: { serialNumber, firmware, configuration }, capabilities = model.capabilities }: SelfPortrait): void => {
    const told: Device = { serialNumber, firmware, configuration, capabilities };
    // A device mostly tells what it told before.
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
