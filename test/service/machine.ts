import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { demo, shop } from "../../packaging/bundle.ts";
import { programName } from "../../packaging/make.ts";
import { ownTarget } from "../../packaging/targets.ts";
import { type Program, startCommand } from "../scenarios/program.ts";

/** What a machine lacks on which the packaged program can be tried as a service. */
export class MachineUnfit extends Error {}

/** A machine on which posbridge was installed for a system user of its own, who has no home folder. */
export interface Machine {
  /** Where the configuration lies: root's, to be read by all. */
  readonly etc: string;
  /** The unit's StateDirectory. */
  readonly state: string;
  /** Empty, and where every program runs. */
  readonly empty: string;
  /** The user's own, for the line of the simulated terminal. */
  readonly lines: string;
  readonly user: Owner;
  readonly userName: string;
  /** The program of a shop. */
  readonly program: string;
  /**
   * A command as the unit runs it: by the user, all but the state folder, a fresh /tmp and the devices read-only.
   * `what` is a program with its arguments.
   */
  asService(...what: readonly string[]): Program;
  /** The same without the unit's limits: what plays the world around the bridge. */
  asUser(...what: readonly string[]): Program;
  remove(): void;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** The programs that `npm run package` makes. */
const PROGRAMS = [shop, demo];

export function prepareMachine(dist: string): Machine {
  if (process.getuid?.() !== 0)
    throw new MachineUnfit(
      "must be run by root, who alone can make a system user and mount: sudo npm run test:service",
    );
  const own = ownTarget(process);
  if (own === undefined) throw new MachineUnfit(`no program is made for ${process.platform}-${process.arch}`);
  // Not below /tmp, which the service does not see.
  const folder = mkdtempSync("/var/tmp/posbridge-service-");
  chmodSync(folder, 0o755);
  const name = `posbridge-${process.pid}`;
  execFileSync("useradd", ["--system", "--no-create-home", "--user-group", name]);
  const remove = (): void => {
    execFileSync("userdel", [name]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const user = ownerOf(name);
    const made = (place: string, mode: number, owner: Owner = { uid: 0, gid: 0 }): string => {
      const path = join(folder, place);
      mkdirSync(path, { mode });
      chownSync(path, owner.uid, owner.gid);
      return path;
    };
    const [bin, etc] = [made("bin", 0o755), made("etc", 0o755)];
    const [state, empty, lines] = [made("state", 0o700, user), made("empty", 0o755, user), made("lines", 0o700, user)];
    for (const program of PROGRAMS) install(join(dist, programName(program, own)), join(bin, program.name));
    const env = { PATH: `${bin}:/usr/sbin:/usr/bin:/sbin:/bin`, LOGNAME: name, USER: name, STATE_DIRECTORY: state };
    const become = ["setpriv", "--reuid", name, "--regid", name, "--clear-groups"];
    const run = (argv: readonly string[]): Program => startCommand("/usr/bin/env", argv, { cwd: empty, env });
    return {
      ...{ etc, state, empty, lines, user, userName: name, program: join(bin, shop.name), remove },
      asUser: (...what) => run([...become, ...what]),
      asService: (...what) =>
        run(["unshare", "--mount", "--propagation", "private", "sh", "-ec", limits(state), "sh", ...become, ...what]),
    };
  } catch (cause) {
    remove();
    throw cause;
  }
}

/** systemd's ProtectSystem=strict, PrivateTmp, ProtectHome and StateDirectory, with mount(8). */
export function limits(state: string): string {
  return [
    `mount --bind ${state} ${state}`,
    "mount -t tmpfs -o mode=1777 tmpfs /tmp",
    "mount -t tmpfs -o mode=0000,ro tmpfs /root",
    "mount -t tmpfs -o mode=0000,ro tmpfs /home",
    "mount -o remount,ro,bind /",
    'exec "$@"',
  ].join("; ");
}

function ownerOf(name: string): Owner {
  const [uid, gid] = (
    /^[^:]*:[^:]*:(\d+):(\d+):/m.exec(
      readFileSync("/etc/passwd", "utf8")
        .split("\n")
        .find((line) => line.startsWith(`${name}:`)) ?? "",
    ) ?? []
  ).slice(1);
  if (uid === undefined || gid === undefined) throw new Error(`useradd made no ${name}`);
  return { uid: Number(uid), gid: Number(gid) };
}

function install(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch (cause) {
    throw new MachineUnfit(
      `${from} is missing (${String(cause)}); make it: npm run package, npm run package -- --demo`,
    );
  }
  chmodSync(to, 0o755);
}
