import type { Identity } from "../card/notice.ts";
import type { DriverModel } from "./driver.ts";
import type { TerminalStatus } from "./status.ts";

/** How a terminal stands: keeps its status and tells every change of it once. */
export interface Standing {
  status(): TerminalStatus;
  /** Who it is, without a change of its state. */
  identified(identity: Identity): void;
  ready(identity: Identity): void;
  offline(reason: string): void;
  outOfService(reason: string): void;
}

type Changing = Pick<TerminalStatus, "state" | "reason" | "serialNumber" | "firmware">;

export function createStanding(
  terminal: { readonly id: string; readonly model: DriverModel; readonly connection: string },
  changed: (status: TerminalStatus) => void,
): Standing {
  const { id, connection, model } = terminal;
  const fixed = { id, model: model.id, connection, capabilities: model.capabilities, hostWaitMs: model.hostWaitMs };
  let status: TerminalStatus = { ...fixed, state: "offline", reason: "not connected yet" };
  const become = (next: Changing): void => {
    if (next.state === status.state && next.reason === status.reason && next.serialNumber === status.serialNumber && next.firmware === status.firmware) return;
    status = { ...fixed, ...next };
    changed(status);
  };
  const known = (): Pick<TerminalStatus, "serialNumber" | "firmware"> => {
    const { serialNumber, firmware } = status;
    return { ...(serialNumber !== undefined && { serialNumber }), ...(firmware !== undefined && { firmware }) };
  };
  return {
    status: () => status,
    identified: ({ serialNumber, firmware }) => {
      const { state, reason } = status;
      become({ state, ...(reason !== undefined && { reason }), serialNumber, firmware });
    },
    ready: ({ serialNumber, firmware }) => become({ state: "ready", serialNumber, firmware }),
    offline: (reason) => become({ state: "offline", reason, ...known() }),
    outOfService: (reason) => become({ state: "out-of-service", reason, ...known() }),
  };
}
