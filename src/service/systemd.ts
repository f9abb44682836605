import type { ManagedState, ServicePlan, ServicePlatform, ServiceSettings } from "./plan.ts";
import { udevRules } from "./udev-rules.ts";

const UNIT = "posbridge.service";
const UNIT_FILE = `/etc/systemd/system/${UNIT}`;
/** The unit's place in a Debian package. */
const PACKAGED_UNIT_FILES = [`/usr/lib/systemd/system/${UNIT}`, `/lib/systemd/system/${UNIT}`];
const RULES_FILE = "/etc/udev/rules.d/60-posbridge.rules";
/** The group that may open serial ports and, by the udev rules, terminals on USB. */
const DEVICE_GROUP = "dialout";
const STATE = "/var/lib/";
/** By ProtectHome and PrivateTmp (systemd.exec(5)). */
const HIDDEN = ["/home", "/root", "/run/user", "/tmp", "/var/tmp"];

/**
 * Device numbers (Documentation/admin-guide/devices.txt). systemd resolves names when the service starts: `char-ttyACM`
 * matches nothing before the first such device was plugged in.
 */
const DEVICES: readonly (readonly [number, string])[] = [
  [4, "ttyS"],
  [166, "ttyACM"],
  [188, "ttyUSB"],
  [189, "USB devices (HID, bulk)"],
  [204, "ttyAMA"],
  [216, "rfcomm (Bluetooth)"],
];

/** A word of a unit file: quoted if necessary, with `%` and `$` escaped (systemd.service(5), "Command lines"). */
function unitWord(text: string): string {
  const plain = text.replaceAll("%", "%%").replaceAll("$", "$$$$");
  return /^[A-Za-z0-9_@%+=:,./$-]+$/.test(plain) ? plain : `"${plain.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** A path in a setting that is no command line: only specifiers are escaped. */
function unitPath(text: string): string {
  const plain = text.replaceAll("%", "%%");
  return /^[A-Za-z0-9_@%+=:,./$-]+$/.test(plain) ? plain : `"${plain.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** The only writable folder. systemd itself makes those below /var/lib. */
function dataFolderLines(dataDir: string): readonly string[] {
  const name = dataDir.startsWith(STATE) ? dataDir.slice(STATE.length) : "";
  return name === ""
    ? [`ReadWritePaths=${unitPath(dataDir)}`]
    : [`StateDirectory=${unitPath(name)}`, "StateDirectoryMode=0700"];
}

/** Limits that leave the program its serial lines, USB and V8. */
const LIMITS: readonly string[] = [
  "# Limits. Not among them: MemoryDenyWriteExecute ends V8, PrivateDevices and PrivateUsers hide the terminals.",
  "NoNewPrivileges=yes",
  "CapabilityBoundingSet=",
  "AmbientCapabilities=",
  "ProtectSystem=strict",
  "ProtectHome=yes",
  "PrivateTmp=yes",
  "ProtectKernelTunables=yes",
  "ProtectKernelModules=yes",
  "ProtectKernelLogs=yes",
  "ProtectControlGroups=yes",
  "ProtectClock=yes",
  "ProtectHostname=yes",
  "ProtectProc=invisible",
  "RestrictNamespaces=yes",
  "RestrictRealtime=yes",
  "RestrictSUIDSGID=yes",
  "RemoveIPC=yes",
  "LockPersonality=yes",
  "KeyringMode=private",
  "# AF_NETLINK tells of network cards and of USB devices that come and go.",
  "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK",
  "SystemCallArchitectures=native",
  "SystemCallFilter=@system-service",
  "SystemCallFilter=~@privileged @keyring @memlock",
  "SystemCallErrorNumber=EPERM",
];

/** The text of the unit. */
export function systemdUnit({ program, config, user, dataDir }: ServiceSettings): string {
  const lines = [
    "[Unit]",
    "Description=posbridge: registers, card terminals and the payment gateway",
    "Wants=network-online.target",
    "After=network-online.target time-sync.target",
    "# A shop's bridge is never given up.",
    "StartLimitIntervalSec=0",
    "",
    "[Service]",
    "Type=notify",
    "# The words come from systemd-notify, a child of the program.",
    "NotifyAccess=all",
    "# Not fed while the event loop or the journal hangs.",
    "WatchdogSec=60",
    "# A long journal is read, or brought to a new version, first.",
    "TimeoutStartSec=15min",
    `ExecStart=${unitWord(program)} run --config ${unitWord(config)} --setup-page`,
    `ExecReload=${unitWord(program)} reload --data ${unitWord(dataDir)}`,
    `User=${user}`,
    `Group=${user}`,
    `SupplementaryGroups=${DEVICE_GROUP}`,
    "Restart=always",
    "RestartSec=5",
    "# Running payments have 20 s to end.",
    "TimeoutStopSec=60",
    ...dataFolderLines(dataDir),
    "LogsDirectory=posbridge",
    "LogsDirectoryMode=0700",
    "UMask=0077",
    "# A core dump would hold tokens and card data.",
    "LimitCORE=0",
    "",
    ...LIMITS,
    "# By number: a name matches nothing before the first such device was plugged in.",
    "DevicePolicy=closed",
    ...DEVICES.flatMap(([major, what]) => [`# ${what}`, `DeviceAllow=char-${major} rw`]),
    "",
    "[Install]",
    "WantedBy=multi-user.target",
  ];
  return `${lines.join("\n")}\n`;
}

function plan(settings: ServiceSettings): ServicePlan {
  const { user, config, dataDir } = settings;
  const udev = [
    { argv: ["udevadm", "control", "--reload"], what: "make udev read the rules", mayFail: true },
    {
      argv: ["udevadm", "trigger", "--subsystem-match=tty", "--subsystem-match=usb"],
      what: "apply the udev rules to what is plugged in",
      mayFail: true,
    },
  ] as const;
  const reload = { argv: ["systemctl", "daemon-reload"], what: "make systemd read the unit" };
  return {
    manager: "systemd",
    service: UNIT,
    account: { user, groups: [DEVICE_GROUP] },
    folders: [
      { path: config.slice(0, Math.max(1, config.lastIndexOf("/"))), mode: 0o755, owner: "root" },
      { path: dataDir, mode: 0o700, owner: "service" },
    ],
    files: [
      { path: UNIT_FILE, mode: 0o644, text: systemdUnit(settings) },
      { path: RULES_FILE, mode: 0o644, text: udevRules },
    ],
    load: [reload, ...udev],
    start: [{ argv: ["systemctl", "enable", "--now", UNIT], what: "start the service" }],
    restart: [{ argv: ["systemctl", "restart", UNIT], what: "start the service anew" }],
    unload: [{ argv: ["systemctl", "disable", "--now", UNIT], what: "stop the service" }],
    unloaded: [reload, ...udev.slice(0, 1)],
  };
}

const PROPERTIES = [
  "LoadState",
  "UnitFileState",
  "ActiveState",
  "SubState",
  "ActiveEnterTimestamp",
  "Result",
  "ExecMainStatus",
  "NRestarts",
  "StatusText",
];

/** Parses the output of `systemctl show`: `Name=value` lines. */
function state(output: string): ManagedState {
  const values = new Map(
    output.split("\n").map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  const of = (name: string): string => values.get(name) ?? "";
  const [active, result, restarts] = [of("ActiveState"), of("Result"), of("NRestarts")];
  const failures = [
    ...(result === "" || result === "success"
      ? []
      : [`${result}${of("ExecMainStatus") === "0" ? "" : ` (${of("ExecMainStatus")})`}`]),
    ...(restarts === "" || restarts === "0" ? [] : [`started anew ${restarts} times`]),
  ];
  return {
    installed: of("LoadState") !== "" && of("LoadState") !== "not-found",
    enabled: of("UnitFileState").startsWith("enabled"),
    running: active === "active" || active === "reloading",
    state: `${active} (${of("SubState")})`,
    ...(of("ActiveEnterTimestamp") !== "" && { since: of("ActiveEnterTimestamp") }),
    ...(failures.length > 0 && { failure: failures.join(", ") }),
  };
}

export const systemd: ServicePlatform = {
  manager: "systemd",
  installable: true,
  sign: "/run/systemd/system",
  packaged: PACKAGED_UNIT_FILES,
  hidden: HIDDEN,
  program: "/usr/local/bin/posbridge",
  config: "/etc/posbridge/posbridge.yaml",
  dataDir: "/var/lib/posbridge",
  plan,
  query: ["systemctl", "show", UNIT, `--property=${PROPERTIES.join(",")}`],
  state,
};
