import type { DeviceNode } from "../kit/device-node.ts";
import { type Check, fail, ok, warn } from "./check.ts";
import type { AddressFound, DeviceFound } from "./findings.ts";

/** Devices that are plugged in, and terminals in the network. */

const RULES = "Install the udev rules (sudo posbridge service install, or docs/usb.md), then plug the device in anew.";
const RULES_THERE =
  "The udev rules are there: plug the device in anew. Where that does not help, its maker is none of theirs: add a line (docs/usb.md).";

/** `isFirst`: no terminal is set up yet. */
export function judgeDevices(devices: readonly DeviceFound[], isFirst: boolean): readonly Check[] {
  if (devices.length === 0 && isFirst) return [NOTHING_PLUGGED_IN];
  return devices.map((device) =>
    judgeDevice(device, device.terminal === undefined ? `device ${device.name}` : `device ${device.terminal}`),
  );
}

const NOTHING_PLUGGED_IN = warn(
  "devices",
  "Nothing is plugged in that could be a terminal.",
  "Plug the terminal in and switch it on. A terminal in the network is not seen here.",
);

/** The worst problem: one line for each device. */
function judgeDevice(device: DeviceFound, name: string): Check {
  const { isHere, node, stableName, terminal } = device;
  if (!isHere)
    return fail(
      name,
      `Nothing is at ${device.name}.`,
      "Plug the terminal in and switch it on, or correct its connection: posbridge terminals scan",
    );
  if (node !== undefined) {
    const problem = rightsProblem(name, device, node) ?? holderProblem(name, node) ?? takerProblem(name, device, node);
    if (problem !== undefined) return problem;
  }
  if (stableName !== undefined && terminal !== undefined)
    return warn(
      name,
      `${device.name} may be another device after the next start.`,
      `Write the name that stays into the configuration: ${stableName}`,
    );
  return ok(
    name,
    node === undefined ? `${device.name} is plugged in.` : `${node.path} is open to ${node.user}${groupText(node)}.`,
  );
}

function groupText({ group, mode }: DeviceNode): string {
  return ` (group ${group}, mode ${mode.toString(8).padStart(4, "0")})`;
}

function rightsProblem(name: string, { hasRules }: DeviceFound, node: DeviceNode): Check | undefined {
  const { path, permitted, user, group, groupMay, inGroup } = node;
  if (permitted) return undefined;
  const text = `${user} may not open ${path}${groupText(node)}.`;
  if (groupMay && inGroup === "after-login")
    return fail(name, text, `Log in again, or start the service again: ${user} is in the group ${group} by now.`);
  if (groupMay)
    return fail(name, text, `Run: sudo usermod -aG ${group} ${user}; then log in again, or start the service again.`);
  return fail(name, text, hasRules ? RULES_THERE : RULES);
}

function holderProblem(name: string, { path, holders: [holder] }: DeviceNode): Check | undefined {
  // A simulated terminal holds its own end of the pseudo-terminal.
  if (holder === undefined || isPseudoTerminal(path)) return undefined;
  const text = `${path} is held by ${holder.name} (pid ${holder.pid}).`;
  return fail(name, text, mendOfTaker(holder.name) ?? "Stop that program, or give the terminal another device.");
}

function takerProblem(name: string, { kind, takers, hasRules }: DeviceFound, { path }: DeviceNode): Check | undefined {
  // Our rules keep ModemManager away from terminals.
  const taker = takers.find(
    (one) => !(one === "ModemManager" && (hasRules || kind === "usb")) && !(one === "brltty" && kind === "usb"),
  );
  if (taker === undefined || isPseudoTerminal(path)) return undefined;
  const text = `${taker} runs on this machine and may take ${path} for ${taker === "brltty" ? "a Braille display" : "a modem"}.`;
  return warn(name, text, mendOfTaker(taker) ?? RULES);
}

function isPseudoTerminal(path: string): boolean {
  return path.startsWith("/dev/pts/");
}

function mendOfTaker(program: string): string | undefined {
  if (program === "ModemManager")
    return "Install the udev rules (docs/usb.md), or run: sudo systemctl disable --now ModemManager";
  if (program === "brltty")
    return "Run: sudo systemctl disable --now brltty brltty-udev; or remove the package brltty.";
  return undefined;
}

export function judgeAddress({ terminal, address, answered, detail }: AddressFound): Check {
  const name = `device ${terminal}`;
  if (answered) return ok(name, `${address} takes connections.`);
  const why = detail === undefined ? "" : ` (${detail})`;
  return fail(
    name,
    `${address} takes no connection${why}.`,
    "See that the terminal is switched on and in this network, and that its address is right.",
  );
}
