import type { DeviceFound } from "../../../src/checks/findings.ts";
import type { DeviceNode } from "../../../src/kit/device-node.ts";

/** A node that its user may open. */
export function node(change: Partial<DeviceNode> = {}): DeviceNode {
  const usual = {
    path: "/dev/ttyACM0",
    permitted: true,
    mode: 0o660,
    group: "dialout",
    groupMay: true,
    inGroup: "yes",
    user: "posbridge",
    holders: [],
  } as const;
  return { ...usual, ...change };
}

/** A terminal's device with which nothing is wrong. */
export function device(change: Partial<DeviceFound> = {}): DeviceFound {
  return {
    kind: "serial",
    terminal: "till-1",
    name: "/dev/ttyACM0",
    isHere: true,
    node: node(),
    takers: [],
    hasRules: true,
    ...change,
  };
}
