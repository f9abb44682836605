import fs from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { linuxDeviceWitness } from "../../../src/transport/device-access.ts";
import { fakeSystem, PED } from "./fake-system.ts";

const US = 4_711;

/** A machine with a terminal at /dev/ttyACM0, whose node has this group, and these processes. */
function machine(
  on: {
    readonly processes?: Readonly<
      Record<number, { readonly comm: string; readonly called?: string; readonly opens?: string }>
    >;
    readonly mode?: number;
  } = {},
) {
  const root = fakeSystem({ usb: [PED] });
  onTestFinished(() => fs.rmSync(root, { recursive: true }));
  const write = (file: string, text: string): void => {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), text);
  };
  const node = path.join(root, "dev/ttyACM0");
  fs.chmodSync(node, on.mode ?? 0o660);
  const { uid, gid } = fs.statSync(node);
  write("etc/passwd", `root:x:0:0::/root:/bin/sh\nposbridge:x:998:997::/:/bin/false\n`);
  write("etc/group", `dialout:x:${gid}:someone,posbridge\n`);
  for (const [pid, { comm, called, opens }] of Object.entries(on.processes ?? {})) {
    write(`proc/${pid}/comm`, `${comm}\n`);
    write(`proc/${pid}/cmdline`, called === undefined ? "" : `${called}\0--flag\0`);
    fs.mkdirSync(path.join(root, "proc", pid, "fd"));
    if (opens !== undefined) fs.symlinkSync(path.join(root, opens), path.join(root, "proc", pid, "fd", "4"));
  }
  const witness = linuxDeviceWitness(root, { pid: US, uid: 998, groups: [997] });
  return { root, node, uid, gid, write, witness };
}

it("tells group, mode, and that the user came into the group too late for this process", () => {
  const { node, gid, root, witness } = machine();
  const isRoots = gid === 0;
  expect(witness.access(node)).toMatchObject({
    path: node,
    mode: 0o660,
    group: "dialout",
    groupMay: !isRoots,
    inGroup: "after-login",
    user: "posbridge",
    holders: [],
  });
  expect(linuxDeviceWitness(root, { pid: US, uid: 998, groups: [gid] }).access(node)?.inGroup).toBe("yes");
  expect(linuxDeviceWitness(root, { pid: US, uid: 555, groups: [] }).access(node)).toMatchObject({
    inGroup: "no",
    user: "555",
  });
  expect(witness.access(path.join(root, "dev/ttyACM9"))).toBeUndefined();
});

it("follows the name that stays the same to the node behind it", () => {
  const { node, root, witness } = machine({ mode: 0o600 });
  expect(witness.access(path.join(root, "dev/serial/by-id/usb-10000001-if00"))).toMatchObject({
    path: node,
    groupMay: false,
  });
});

it("names whoever has the device open, but for this process", () => {
  const opens = "dev/ttyACM0";
  const { node, witness } = machine({
    processes: {
      7: { comm: "MainThread", called: "/usr/bin/minicom", opens },
      8: { comm: "kworker", opens },
      9: { comm: "bash", opens: "dev/null" },
      [US]: { comm: "node", opens },
    },
  });
  expect(witness.access(node)?.holders).toEqual([
    { pid: 7, name: "minicom" },
    { pid: 8, name: "kworker" },
  ]);
});

it("sees ModemManager and brltty run, and whether the rules are there", () => {
  expect(machine().witness.takers()).toEqual([]);
  const { witness, write } = machine({ processes: { 7: { comm: "brltty" }, 8: { comm: "ModemManager" } } });
  expect(witness.takers()).toEqual(["ModemManager", "brltty"]);
  expect(witness.hasRules()).toBe(false);
  write("etc/udev/rules.d/60-posbridge.rules", "");
  expect(witness.hasRules()).toBe(true);
});
