import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type Program, startCommand } from "../scenarios/program.ts";
import { limits } from "../service/machine.ts";

/** What the package brings and what it makes, as docs/packages.md says. */
export const PROGRAM = "/usr/bin/posbridge";
export const UNIT = "/usr/lib/systemd/system/posbridge.service";
export const RULES = "/usr/lib/udev/rules.d/60-posbridge.rules";
export const ETC = "/etc/posbridge";
export const CONFIG = `${ETC}/posbridge.yaml`;
export const STATE = "/var/lib/posbridge";

const ASKED = "/var/log/systemctl-asked";

/** A systemd that only writes down what it is asked: dpkg's scripts ask it where it runs. */
export function standInForSystemd(): void {
  for (const folder of ["/run/systemd/system", "/etc/systemd/system", "/etc/udev/rules.d"])
    mkdirSync(folder, { recursive: true });
  rmSync("/run/udev", { recursive: true, force: true });
  writeFileSync("/usr/local/bin/systemctl", `#!/bin/sh\necho "$@" >>${ASKED}\n`);
  chmodSync("/usr/local/bin/systemctl", 0o755);
}

/** What systemd was asked since the last time. */
export function asked(): readonly string[] {
  const lines = existsSync(ASKED) ? readFileSync(ASKED, "utf8").trim().split("\n") : [];
  rmSync(ASKED, { force: true });
  return lines;
}

const env = {
  PATH: "/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin",
  DEBIAN_FRONTEND: "noninteractive",
  LC_ALL: "C",
};

/** Runs a command as root; what it printed on stdout. */
export function run(...[command = "", ...args]: readonly string[]): string {
  return execFileSync(command, args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

const BECOME = ["--reuid", "posbridge", "--regid", "posbridge", "--init-groups"];

/** The same by the service's user, who alone may read its data. */
export function runAsUser(...argv: readonly string[]): string {
  return run("setpriv", ...BECOME, ...argv);
}

/** "posbridge:posbridge 700" of a file or folder. */
export function rights(path: string): string {
  return run("stat", "--format=%U:%G %a", path).trim();
}

/** The command of the installed unit, by its user, within its limits. */
export function startUnit(): Program {
  const unit = readFileSync(UNIT, "utf8");
  const [, command = "", user = ""] = /^ExecStart=(.+)$[\s\S]*^User=(.+)$/m.exec(unit) ?? [];
  assert.equal(command, `${PROGRAM} run --config ${CONFIG} --setup-page`);
  assert.match(unit, /^StateDirectory=posbridge$/m);
  const become = ["setpriv", "--reuid", user, "--regid", user, "--init-groups"];
  return startCommand(
    "unshare",
    ["--mount", "--propagation", "private", "sh", "-ec", limits(STATE), "sh", ...become, ...command.split(" ")],
    {
      cwd: "/",
      env: { PATH: env.PATH, STATE_DIRECTORY: STATE },
    },
  );
}

/** A program that plays the world around the bridge, by the service's user. */
export function asUser(...argv: readonly string[]): Program {
  return startCommand("setpriv", [...BECOME, ...argv], { cwd: "/", env: { PATH: env.PATH } });
}

/** The package of an older version: the same in all but its number. */
export function olderPackage(deb: string, version: string): string {
  run("dpkg-deb", "--raw-extract", deb, "/var/tmp/older");
  const control = "/var/tmp/older/DEBIAN/control";
  writeFileSync(control, readFileSync(control, "utf8").replace(/^Version: .*$/m, `Version: ${version}`));
  run("dpkg-deb", "--root-owner-group", "-Znone", "--build", "/var/tmp/older", "/var/tmp/older.deb");
  rmSync("/var/tmp/older", { recursive: true });
  return "/var/tmp/older.deb";
}

export function installedVersion(): string {
  const status = run("dpkg", "--status", "posbridge");
  return ["Status", "Version"].map((field) => new RegExp(`^${field}: (.*)$`, "m").exec(status)?.[1]).join(" ");
}

export function isGone(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) === undefined;
}
