import fs from "node:fs";
import path from "node:path";
import type { DeviceNode } from "../kit/device-node.ts";
import { entries, followed, linkTarget, mayOpen, textIn } from "./sysfs.ts";
import { UDEV_RULES } from "./usb-error.ts";

/** The system's view of device nodes; opens none. Windows has an equivalent without nodes. */
export interface DeviceWitness {
  /** Undefined: nothing is at that path. */
  access(path: string): DeviceNode | undefined;
  /** Running programs that are known to mistake terminals for other devices. */
  takers(): readonly string[];
  /** Whether udev has the rules of config/udev. */
  hasRules(): boolean;
}

/** The process's own numbers. */
export interface Account {
  readonly pid: number;
  readonly uid: number;
  readonly groups: readonly number[];
}

/** This process; undefined on a system without user numbers (Windows). */
function systemAccount(): Account | undefined {
  const [uid, group] = [process.geteuid?.(), process.getegid?.()];
  return uid === undefined || group === undefined
    ? undefined
    : { pid: process.pid, uid, groups: [group, ...(process.getgroups?.() ?? [])] };
}

/** ModemManager sends AT commands to new serial ports; brltty takes USB cables for Braille displays. */
const TAKERS = ["ModemManager", "brltty"];
const RULE_FOLDERS = [
  "etc/udev/rules.d",
  "run/udev/rules.d",
  "usr/local/lib/udev/rules.d",
  "usr/lib/udev/rules.d",
  "lib/udev/rules.d",
];
const GROUP_MAY_USE = 0o060;

/** For Linux; `root` is that of the file system. */
export function linuxDeviceWitness(root: string, account: Account): DeviceWitness {
  return {
    access: (device) => accessOf(root, account, device),
    takers: () => TAKERS.filter((name) => processes(root).some((pid) => processName(root, pid) === name)),
    hasRules: () => RULE_FOLDERS.some((folder) => entries(path.join(root, folder)).includes(UDEV_RULES)),
  };
}

/** For this machine; undefined if devices have no nodes. */
export function systemDeviceWitness(): DeviceWitness | undefined {
  const account = process.platform === "linux" ? systemAccount() : undefined;
  return account && linuxDeviceWitness("/", account);
}

function accessOf(root: string, { pid, uid, groups }: Account, device: string): DeviceNode | undefined {
  const node = followed(device);
  const found = node === undefined ? undefined : fs.statSync(node, { throwIfNoEntry: false });
  if (node === undefined || found === undefined) return undefined;
  const user = accountLine(root, "etc/passwd", uid)?.[0] ?? String(uid);
  const [group = String(found.gid), , , members = ""] = accountLine(root, "etc/group", found.gid) ?? [];
  const isListed = members.split(",").includes(user);
  return {
    ...{ path: node, permitted: mayOpen(node), mode: found.mode & 0o777, group, user },
    groupMay: (found.mode & GROUP_MAY_USE) === GROUP_MAY_USE && found.gid !== 0,
    inGroup: groups.includes(found.gid) ? "yes" : isListed ? "after-login" : "no",
    holders: processes(root)
      .filter((each) => each !== pid && hasOpen(root, each, node))
      .map((each) => ({ pid: each, name: programName(root, each) ?? "a program" })),
  };
}

/** The fields of that number's line in passwd(5) or group(5). */
function accountLine(root: string, file: string, id: number): readonly string[] | undefined {
  const lines = (textIn(path.join(root, file)) ?? "").split("\n").map((line) => line.split(":"));
  return lines.find((fields) => fields[2] === String(id));
}

function processes(root: string): readonly number[] {
  return entries(path.join(root, "proc"))
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number);
}

function processName(root: string, pid: number): string | undefined {
  return textIn(path.join(root, "proc", String(pid), "comm"));
}

/** The command's name, because a process may rename its threads. */
function programName(root: string, pid: number): string | undefined {
  const [called = ""] = (textIn(path.join(root, "proc", String(pid), "cmdline")) ?? "").split("\0");
  return called === "" ? processName(root, pid) : path.basename(called);
}

/** proc(5): each open file is a link. Only root sees those of another user's process. */
function hasOpen(root: string, pid: number, node: string): boolean {
  const folder = path.join(root, "proc", String(pid), "fd");
  return entries(folder).some((name) => linkTarget(path.join(folder, name)) === node);
}
