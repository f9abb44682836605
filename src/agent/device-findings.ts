import type { DeviceFound } from "../checks/findings.ts";
import type { Connection } from "../config/configuration.ts";
import type { DeviceWitness } from "../transport/device-access.ts";
import { deviceName, type Plugged, type PluggedDevice } from "../transport/devices.ts";
import { usbName } from "../transport/usb.ts";
import { isDeviceOf, type LookedAt, matchingOf, type TerminalInPlace } from "./devices.ts";

/** The plugged-in devices, and who may open them on systems with device nodes. */
export interface DeviceLook extends LookedAt {
  plugged(): Promise<Plugged>;
  /** Undefined: devices have no nodes. */
  readonly witness: DeviceWitness | undefined;
}

/**
 * Findings about the terminals' devices. `others`: includes other plugged-in devices that may be terminals. Opens
 * nothing.
 */
export async function deviceFindings(
  look: DeviceLook,
  { others }: { readonly others: boolean },
): Promise<readonly DeviceFound[]> {
  const { witness, terminals } = look;
  const wired = terminals.filter(
    ({ terminal: { connection } }) => connection.kind === "serial" || connection.kind === "usb",
  );
  if (wired.length === 0 && !others) return [];
  const { devices } = await look.plugged();
  const shared = { takers: witness?.takers() ?? [], hasRules: witness?.hasRules() ?? true };
  const configured = wired.map((one) => ({ ...configuredDevice(one, devices, look), ...shared }));
  const free = others
    ? devices.filter(
        (device) => mayBeTerminal(device, look) && !terminals.some((one) => isDeviceOf(device, one, look.followed)),
      )
    : [];
  return [...configured, ...free.map((device) => ({ ...freeDevice(device, witness), ...shared }))];
}

type Found = Omit<DeviceFound, "takers" | "hasRules">;

function configuredDevice(
  one: TerminalInPlace,
  devices: readonly PluggedDevice[],
  { witness, followed }: DeviceLook,
): Found {
  const { terminal, place } = one;
  const device = devices.find((each) => isDeviceOf(each, one, followed));
  const path = device?.path ?? place.path ?? pathOf(terminal.connection);
  const node = path === undefined ? undefined : witness?.access(path);
  const stableName = stableNameOf(terminal.connection, device);
  return {
    ...{ kind: device?.kind ?? kindOf(terminal.connection), terminal: terminal.id, name: nameOf(terminal.connection) },
    isHere: device !== undefined || node !== undefined,
    ...(node && { node }),
    ...(stableName !== undefined && { stableName }),
  };
}

function freeDevice(device: PluggedDevice, witness: DeviceWitness | undefined): Found {
  const node = witness?.access(device.path);
  return { kind: device.kind, name: deviceName(device), isHere: true, ...(node && { node }) };
}

/** Keyboards are excluded; a serial port may have any device behind it. */
function mayBeTerminal(device: PluggedDevice, { models }: LookedAt): boolean {
  return device.kind === "serial" ? device.usb !== undefined : matchingOf(device, models).candidates.length > 0;
}

function kindOf({ kind }: Connection): "serial" | "usb" {
  return kind === "usb" ? "usb" : "serial";
}

function pathOf(connection: Connection): string | undefined {
  return connection.kind === "serial" ? connection.path : undefined;
}

function nameOf(connection: Connection): string {
  switch (connection.kind) {
    case "serial":
      return connection.path;
    case "usb":
      return usbName(connection);
    case "tcp":
    case "websocket":
      return `${connection.host}:${connection.port}`;
  }
}

/** The stable name of a device configured by a kernel number (ttyACM0). */
function stableNameOf(connection: Connection, device: PluggedDevice | undefined): string | undefined {
  if (connection.kind !== "serial" || device?.kind !== "serial" || connection.path !== device.path) return undefined;
  return device.stablePaths[0];
}
