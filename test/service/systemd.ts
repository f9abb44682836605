import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Program, startCommand } from "../scenarios/program.ts";
import { type Machine, MachineUnfit } from "./machine.ts";

/** The time limit that the bridge is told of, in microseconds: it then speaks every second. */
export const WATCHDOG_USEC = 4_000_000;

/** Most that `systemd-analyze security` may find, in tenths. */
const MOST_EXPOSURE = 20;

/** What limits() of machine.ts plays with mount(8): a unit without it would be tried with more than it says. */
const PLAYED = ["ProtectSystem=strict", "ProtectHome=yes", "PrivateTmp=yes", "NoNewPrivileges=yes"];

/**
 * The command that the unit starts, and its exposure. Throws where systemd would not take the unit, or finds it too
 * open.
 */
export function judgeUnit(
  unit: string,
  { etc, state, userName }: Machine,
): { readonly start: string; readonly exposure: string } {
  const lines = unit.split("\n");
  const start = lines.find((line) => line.startsWith("ExecStart="))?.slice("ExecStart=".length);
  assert(start !== undefined, "the unit starts nothing");
  for (const line of [...PLAYED, `ReadWritePaths=${state}`, `User=${userName}`])
    assert(lines.includes(line), `the unit has no ${line}`);
  const file = join(etc, "posbridge.service");
  writeFileSync(file, unit);
  assert.equal(analyze("verify", "--man=no", file), "", "systemd-analyze verify has something to say");
  const found = analyze("security", "--offline=true", "--no-pager", `--threshold=${MOST_EXPOSURE}`, file);
  return { start, exposure: /exposure level for \S+: ([0-9.]+)/.exec(found)?.[1] ?? assert.fail(found) };
}

function analyze(...words: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync("systemd-analyze", words, { encoding: "utf8" });
  if (error !== undefined)
    throw new MachineUnfit(`systemd-analyze cannot be run (${error.message}); install it: .ci/systemd-packages`);
  assert.equal(status, 0, `systemd-analyze ${words.join(" ")}: ${stdout}${stderr}`);
  return `${stdout}${stderr}`;
}

/** Prints each datagram as a line. Perl is on every Debian, and Node has no such socket. */
const RECEIVER = [
  "socket(S, PF_UNIX, SOCK_DGRAM, 0) or die; bind(S, sockaddr_un($ARGV[0])) or die; chmod 0777, $ARGV[0]; $| = 1;",
  'print "listening\\n"; while (defined recv(S, my $m, 4096, 0)) { $m =~ s/\\n/ /g; print "$m\\n" }',
].join(" ");

interface Heard {
  readonly socket: string;
  /** Prints what it is told. */
  readonly program: Program;
}

/** A service manager's socket (sd_notify(3)), to which the real systemd-notify speaks. */
export async function hearManager({ lines }: Machine, opened: Program[]): Promise<Heard> {
  if (spawnSync("systemd-notify", ["--version"]).error !== undefined)
    throw new MachineUnfit("systemd-notify is missing; install it: .ci/systemd-packages");
  const socket = join(lines, "notify");
  const program = startCommand("/usr/bin/perl", ["-MSocket", "-e", RECEIVER, socket], { cwd: "/", env: {} });
  opened.push(program);
  await program.line(/^listening$/);
  return { socket, program };
}
