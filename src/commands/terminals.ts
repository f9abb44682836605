import { Command } from "commander";
import type { DriverModel } from "../terminal/driver.ts";
import type { Matching } from "../terminal/match.ts";
import type { LookOn, Plugged, PluggedDevice } from "../transport/devices.ts";
import type { UsbIdentity } from "../transport/serial-devices.ts";
import type { Output } from "./terminal-output.ts";
import { changeCommands } from "./terminals-change.ts";
import { traceCommand } from "./trace.ts";

const EXAMPLE = `
Nothing is opened and nothing is sent: a device is judged by its ids, its texts and its path, each of which has a score in the
model's driver. Where two models are too close, or none is likely enough, none is named.

Example:
  posbridge terminals scan
  posbridge terminals scan --json`;

/**
 * `terminals scan`: the plugged-in devices with their probable models. `on`: ports of the search, the system's by
 * default.
 */
export function terminalsCommand(output: Output, models: readonly DriverModel[], on: LookOn = {}): Command {
  const command = new Command("terminals")
    .description("find terminals, pair and replace them, and show what goes over their lines")
    .addHelpText("after", EXAMPLE);
  command
    .command("scan")
    .description("show what is plugged in, which model it probably is, and why")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action(async ({ json }: { json?: true }) => {
      const [{ deviceName, lookAtDevices }, { matchingOf, permissionProblem }] = await Promise.all([
        import("../transport/devices.ts"),
        import("../agent/devices.ts"),
      ]);
      const plugged = await lookAtDevices(on);
      const found = plugged.devices.map((device) => ({
        name: deviceName(device),
        device,
        matching: matchingOf(device, models),
        mend: permissionProblem(device),
      }));
      if (json === true) output.out(JSON.stringify(asJson(found, plugged), undefined, 2));
      else for (const line of [...found.flatMap(linesOf), ...endLines(plugged)]) output.out(line);
    });
  for (const change of changeCommands(output, models)) command.addCommand(change);
  command.addCommand(traceCommand(output));
  return command;
}

interface Found {
  readonly name: string;
  readonly device: PluggedDevice;
  readonly matching: Matching;
  /** Why this user cannot use it, with the fix. */
  readonly mend: string | undefined;
}

/** The device in the form of the configuration, below `connection`. */
function connectionOf(device: PluggedDevice): string {
  if (device.kind === "serial") return `{ serial: ${yamlWord(device.stablePaths[0] ?? device.path)} }`;
  const { vendorId, productId, serialNumber } = device;
  const ids = `vendorId: ${hex(vendorId)}, productId: ${hex(productId)}`;
  return serialNumber === undefined
    ? `{ usb: { ${ids} } }`
    : `{ usb: { ${ids}, serialNumber: ${JSON.stringify(serialNumber)} } }`;
}

/** A text inside braces: unquoted if YAML reads it unchanged. */
function yamlWord(text: string): string {
  return /^[A-Za-z0-9/][A-Za-z0-9_./\\&:+-]*$/.test(text) && !text.endsWith(":")
    ? text
    : `'${text.replaceAll("'", "''")}'`;
}

function hex(id: number): string {
  return `0x${id.toString(16).padStart(4, "0")}`;
}

function linesOf({ name, device, matching: { model, why, candidates }, mend }: Found): readonly string[] {
  const [first] = candidates;
  return [
    name,
    model === undefined ? `  no model is named: ${why}` : `  ${model} (${first?.title}): ${why}`,
    ...candidates.map(
      (one) =>
        `    score ${String(one.score).padStart(3)}  ${one.model}: ${one.because.join(", ")}; source: ${one.source}`,
    ),
    ...(model === undefined
      ? []
      : [
          "  in the configuration, below terminals:",
          `    - { id: till-1, model: ${model}, connection: ${connectionOf(device)}, terminalId: "..." }`,
        ]),
    ...(mend === undefined ? [] : [`  ${mend}`]),
  ];
}

function endLines({ devices, notes }: Plugged): readonly string[] {
  return [
    ...(devices.length === 0 ? ["nothing is plugged in that could be a terminal"] : []),
    ...notes.map((note) => `note: ${note}`),
  ];
}

function asJson(found: readonly Found[], { notes }: Plugged): object {
  return {
    devices: found.map(({ name, device, matching, mend }) => {
      const { kind, path, permitted } = device;
      const usb = kind === "usb" ? identityOf(device) : device.usb && identityOf(device.usb);
      const where = kind === "usb" ? { port: device.port, hid: device.hid } : { stablePaths: device.stablePaths };
      return { name, kind, path, ...where, usb, permitted, mend, ...matching, connection: connectionOf(device) };
    }),
    notes,
  };
}

function identityOf({ vendorId, productId, manufacturer, product, serialNumber }: UsbIdentity): object {
  return { vendorId: hex(vendorId), productId: hex(productId), manufacturer, product, serialNumber };
}
