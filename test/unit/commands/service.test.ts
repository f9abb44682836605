import { describe, expect, it } from "vitest";
import { runProgram } from "../../../src/commands/program.ts";
import { serviceCommand } from "../../../src/commands/service.ts";
import { installService, removeService } from "../../../src/commands/service-install.ts";
import { serviceStatus, statusLines } from "../../../src/commands/service-status.ts";
import type { BridgeStatus } from "../../../src/control/methods.ts";
import { launchd } from "../../../src/service/launchd.ts";
import { systemd } from "../../../src/service/systemd.ts";
import { recordedOutput } from "./recorded-output.ts";
import { type PretendedMachine, pretendedMachine } from "./service-machine.ts";

const settings = {
  program: "/usr/local/bin/posbridge",
  config: "/etc/posbridge/posbridge.yaml",
  user: "posbridge",
  dataDir: "/var/lib/posbridge",
};
const UNIT = "/etc/systemd/system/posbridge.service";
const RULES = "/etc/udev/rules.d/60-posbridge.rules";

function machineWithProgram(options: Parameters<typeof pretendedMachine>[0] = {}): PretendedMachine {
  const machine = pretendedMachine(options);
  machine.files.set("/home/shop/posbridge-linux-x64", "program");
  return machine;
}

function install(
  machine: PretendedMachine,
  { start = false, from = "/home/shop/posbridge-linux-x64" }: { start?: boolean; from?: string | undefined } = {},
) {
  const { config, program, dataDir } = settings;
  return installService({
    platform: systemd,
    plan: systemd.plan(settings),
    machine,
    config,
    program,
    dataDir,
    files: [],
    from,
    start,
  });
}

const remove = (machine: PretendedMachine) =>
  removeService({ platform: systemd, plan: systemd.plan(settings), machine, config: settings.config });

describe("service install", () => {
  it("makes program, user, folders, unit and rules, and says what is next", () => {
    const machine = machineWithProgram();
    const { done, next } = install(machine);
    expect(done).toEqual([
      "copied this program to /usr/local/bin/posbridge",
      "made the system user posbridge",
      "made /etc/posbridge",
      "made /var/lib/posbridge",
      `wrote ${UNIT}`,
      `wrote ${RULES}`,
    ]);
    expect(machine.folders).toEqual(
      new Map([
        ["/etc/posbridge", { user: "root", empty: true }],
        ["/var/lib/posbridge", { user: "posbridge", empty: true }],
      ]),
    );
    expect(machine.ran).toEqual([
      "useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin --groups dialout posbridge",
      "systemctl daemon-reload",
      "udevadm control --reload",
      "udevadm trigger --subsystem-match=tty --subsystem-match=usb",
    ]);
    expect(next).toEqual([
      "next: write /etc/posbridge/posbridge.yaml, and check it: posbridge check-config /etc/posbridge/posbridge.yaml",
      "start it now and with the machine: systemctl enable --now posbridge.service",
    ]);
  });

  it("does nothing a second time", () => {
    const machine = machineWithProgram();
    install(machine);
    machine.files.set(settings.config, "environment: test");
    expect(install(machine).done).toEqual(["everything is in place already"]);
  });

  it("starts it where that is asked for, and starts one that runs anew only where something has changed", () => {
    const machine = machineWithProgram();
    machine.files.set(settings.config, "environment: test");
    expect(install(machine, { start: true }).done.at(-1)).toBe("started the service");
    machine.shown = "LoadState=loaded\nActiveState=active\nSubState=running\n";
    machine.ran.length = 0;
    expect(install(machine, { start: true }).done).toEqual(["everything is in place already"]);
    expect(machine.ran).not.toContain("systemctl restart posbridge.service");
    machine.files.set("/home/shop/posbridge-linux-x64", "the next version");
    expect(install(machine, { start: true }).done).toEqual([
      "copied this program to /usr/local/bin/posbridge",
      "started the service anew",
    ]);
    expect(machine.ran.at(-1)).toBe("systemctl restart posbridge.service");
  });

  it.each([
    [
      "by somebody who is not root",
      machineWithProgram({ root: false }),
      /run it as root, sudo posbridge service install/,
    ],
    [
      "without the group of serial ports",
      machineWithProgram({ groups: [] }),
      /no group dialout.*groupadd --system dialout/,
    ],
  ])("changes nothing %s", (_, machine, words) => {
    expect(() => install(machine)).toThrow(words);
    expect([machine.ran, machine.files.has(UNIT)]).toEqual([[], false]);
  });

  it("changes nothing where systemd does not run, and says what shows it", () => {
    const machine = machineWithProgram();
    machine.files.delete("/run/systemd/system");
    expect(() => install(machine)).toThrow(/^systemd does not run on this machine .*: posbridge service print shows/);
    expect([machine.ran, machine.files.has(UNIT)]).toEqual([[], false]);
  });

  it("leaves a machine alone on which a package brought the service", () => {
    const machine = machineWithProgram();
    machine.files.set("/usr/lib/systemd/system/posbridge.service", "");
    expect(() => install(machine)).toThrow(/^a package brought .*systemctl enable --now posbridge/);
    expect(() => remove(machine)).toThrow(/^a package brought .*apt remove posbridge/);
    expect(machine.ran).toEqual([]);
  });

  it("does not start what has no configuration", () => {
    const machine = machineWithProgram();
    expect(() => install(machine, { start: true })).toThrow(/^there is no \/etc\/posbridge\/posbridge\.yaml/);
    expect(machine.ran).toEqual([]);
  });

  it("takes no program that others may exchange", () => {
    const machine = machineWithProgram();
    machine.files.set(settings.program, "anybody's");
    machine.files.set("/home/shop/posbridge-linux-x64", "anybody's");
    expect(() => install(machine)).toThrow(/may be changed by others .*chmod go-w/);
    expect(machine.files.has(UNIT)).toBe(false);
  });

  it("takes no data folder of somebody else", () => {
    const machine = machineWithProgram();
    machine.folders.set("/var/lib/posbridge", { user: "root", empty: false });
    expect(() => install(machine)).toThrow(
      "/var/lib/posbridge belongs to root, and the service runs as posbridge: chown -R posbridge:posbridge /var/lib/posbridge",
    );
    expect(machine.files.has(UNIT)).toBe(false);
  });

  it("says which command failed, and goes on without udev", () => {
    const machine = machineWithProgram();
    machine.failing.set("udevadm control", "udev is not running");
    expect(install(machine).next[0]).toBe(
      "could not make udev read the rules: udevadm control --reload ended with 1 (udev is not running); run it by hand",
    );
    machine.failing.set("systemctl daemon-reload", "no bus");
    expect(() => install(machine)).toThrow(
      "could not make systemd read the unit: systemctl daemon-reload ended with 1 (no bus)",
    );
  });

  it("is not tried with launchd, and says so", () => {
    const machine = machineWithProgram();
    const job = { platform: launchd, plan: launchd.plan(settings), machine, config: settings.config };
    expect(() => installService({ ...job, ...settings, files: [], from: undefined, start: false })).toThrow(
      /has not been tried with launchd yet and does nothing/,
    );
  });
});

describe("service remove", () => {
  it("stops the service, takes its files away, and keeps configuration and journal", () => {
    const machine = machineWithProgram();
    install(machine);
    machine.files.set(settings.config, "environment: test");
    machine.ran.length = 0;
    expect(remove(machine)).toEqual({
      done: ["stopped the service", `removed ${UNIT}`, `removed ${RULES}`],
      next: [
        "kept, because payments may still be open in the journal: /etc/posbridge/posbridge.yaml, /var/lib/posbridge, the user posbridge",
      ],
    });
    expect(machine.ran).toEqual([
      "systemctl disable --now posbridge.service",
      "systemctl daemon-reload",
      "udevadm control --reload",
    ]);
    expect(machine.folders.has("/var/lib/posbridge")).toBe(true);
    expect(remove(machine).done).toEqual(["nothing of the service is there"]);
  });

  it("takes its own unit away, which hides that of a package that came later", () => {
    const machine = machineWithProgram();
    install(machine);
    machine.files.set("/usr/lib/systemd/system/posbridge.service", "");
    const { done, next } = remove(machine);
    expect(done).toEqual(["stopped the service", `removed ${UNIT}`, `removed ${RULES}`]);
    expect(next.at(-1)).toBe(
      "from now on the package's /usr/lib/systemd/system/posbridge.service counts; to start it: systemctl enable --now posbridge",
    );
    expect(() => remove(machine)).toThrow(/^a package brought /);
  });

  it("comes to its end where somebody removed the unit by hand", () => {
    const machine = machineWithProgram();
    install(machine);
    machine.files.delete(UNIT);
    machine.failing.set("systemctl disable", "Unit file posbridge.service does not exist.");
    expect(remove(machine).done).toEqual([`removed ${RULES}`]);
  });
});

describe("service status", () => {
  const running =
    "LoadState=loaded\nUnitFileState=enabled\nActiveState=active\nSubState=running\nResult=success\nNRestarts=0\n";
  const said: BridgeStatus = {
    bridge: "b",
    version: "1.2.3",
    pid: 7,
    startedAt: "2026-11-23T10:00:00.000Z",
    ready: true,
    reasons: [],
  };
  const asked = (machine: PretendedMachine, answer: BridgeStatus | string) =>
    serviceStatus({ platform: systemd, machine, dataDir: settings.dataDir, ask: async () => answer });

  it("tells that it is ready, since when, and which version", async () => {
    const machine = pretendedMachine();
    machine.shown = running;
    const status = await asked(machine, { ...said });
    expect(statusLines(status)).toEqual([
      "installed:    yes",
      "enabled:      yes",
      "state:        active (running)",
      "since:        2026-11-23T10:00:00.000Z",
      "version:      1.2.3",
      "ready:        yes",
    ]);
  });

  it("tells why it is not ready, and the last error", async () => {
    const machine = pretendedMachine();
    machine.shown = running;
    const lastError = { at: "2026-11-23T11:00:00.000Z", text: "a call failed" };
    const status = await asked(machine, { ...said, ready: false, reasons: ["journal: the disk is full"], lastError });
    expect(status).toMatchObject({
      ready: false,
      reasons: ["journal: the disk is full"],
      lastError: "2026-11-23T11:00:00.000Z a call failed",
    });
  });

  it("is not ready where nobody answers, whatever the manager says", async () => {
    const machine = pretendedMachine();
    machine.shown = running;
    expect(await asked(machine, "no bridge runs on /var/lib/posbridge")).toMatchObject({ running: true, ready: false });
  });
});

describe("the command", () => {
  const run = async (...argv: readonly string[]) => {
    const output = recordedOutput();
    const code = await runProgram(
      { name: "posbridge", description: "", commands: [serviceCommand] },
      ["service", ...argv],
      output,
      false,
    );
    return { code, ...output };
  };

  it("prints a unit for any user and place", async () => {
    const { code, stdout } = await run(
      "print",
      "--for",
      "systemd",
      "--config",
      "/nowhere/shop.yaml",
      "--user",
      "shop",
      "--program",
      "/opt/posbridge/posbridge",
    );
    expect(code).toBe(0);
    expect(stdout).toContain("ExecStart=/opt/posbridge/posbridge run --config /nowhere/shop.yaml --setup-page");
    expect(stdout).toContain("User=shop");
  });

  it("prints the same for programs", async () => {
    const { stdout } = await run("print", "--for", "launchd", "--json");
    expect(JSON.parse(stdout.join("\n"))).toMatchObject({
      manager: "launchd",
      files: [{ path: "/Library/LaunchDaemons/com.posbridge.posbridge.plist" }],
    });
  });

  it("refuses a manager that it does not know, and a user that is none", async () => {
    expect(await run("print", "--for", "upstart")).toMatchObject({
      code: 2,
      stderr: ["posbridge: --for upstart is not systemd, launchd, windows"],
    });
    expect((await run("print", "--for", "systemd", "--user", "a b")).code).toBe(2);
  });
});
