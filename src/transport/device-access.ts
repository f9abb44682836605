import fs from "node:fs";
import path from "node:path";
import type { DeviceNode } from "../kit/device-node.ts";
import { entries, followed, linkTarget, mayOpen, textIn } from "./sysfs.ts";
import { UDEV_RULES } from "./usb-error.ts";

/** What the system tells of device nodes. Opens none of them. Windows has a twin without nodes. */
export interface DeviceWitness {
  /** Undefined where nothing is at that path. */
  access(path: string): DeviceNode | undefined;
  /** Programs that run on this machine and are known to take terminals for something else. */
  takers(): readonly string[];
  /** Whether udev has the rules of config/udev. */
  hasRules(): boolean;
}

/** Who looks: numbers as the process has them. */
export interface Account {
  readonly pid: number;
  readonly uid: number;
  readonly groups: readonly number[];
}

/** The process itself; undefined on a system without numbers for users (Windows). */
function systemAccount(): Account | undefined {
  const [uid, group] = [process.geteuid?.(), process.getegid?.()];
  return uid === undefined || group === undefined ? undefined : { pid: process.pid, uid, groups: [group, ...(process.getgroups?.() ?? [])] };
}

/** ModemManager sends AT commands to new serial ports; brltty takes USB cables for Braille displays. */
const TAKERS = ["ModemManager", "brltty"];
const RULE_FOLDERS = ["etc/udev/rules.d", "run/udev/rules.d", "usr/local/lib/udev/rules.d", "usr/lib/udev/rules.d", "lib/udev/rules.d"];
const GROUP_MAY_USE = 0o060;

/** The witness of a Linux; `root` is the file system's. */
export function linuxDeviceWitness(root: string, account: Account): DeviceWitness {
  return {
    access: (device) => accessOf(root, account, device),
    takers: () => TAKERS.filter((name) => processes(root).some((pid) => processName(root, pid) === name)),
    hasRules: () => RULE_FOLDERS.some((folder) => entries(path.join(root, folder)).includes(UDEV_RULES)),
  };
}

/** This machine's witness; undefined where devices have no nodes. */
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

/** The line of that number in passwd(5) or group(5), in its fields. */
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

/** As it was called; a process may give its threads any name. */
function programName(root: string, pid: number): string | undefined {
  const [called = ""] = (textIn(path.join(root, "proc", String(pid), "cmdline")) ?? "").split("\0");
  return called === "" ? processName(root, pid) : path.basename(called);
}

/** proc(5): each open file is a link. Those of another user's process are seen by root alone. */
function hasOpen(root: string, pid: number, node: string): boolean {
  const folder = path.join(root, "proc", String(pid), "fd");
  return entries(folder).some((name) => linkTarget(path.join(folder, name)) === node);
}
