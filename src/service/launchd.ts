import type { ManagedState, ServicePlan, ServicePlatform, ServiceSettings } from "./plan.ts";

/* macOS. Written after the manual pages launchd.plist(5) and launchctl(1); not yet tested on a machine. */

const LABEL = "com.posbridge.posbridge";
const PLIST = `/Library/LaunchDaemons/${LABEL}.plist`;
const LOGS = "/usr/local/var/log/posbridge";

function xml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/**
 * The property list of a daemon that is kept alive. launchd has no journal, so output before the bridge's own log goes
 * to a file.
 */
export function launchdPlist({ program, config, user, dataDir }: ServiceSettings): string {
  const string = (text: string): string => `<string>${xml(text)}</string>`;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    "<!-- Untried: no machine has run it yet. -->",
    '<plist version="1.0">',
    "<dict>",
    `  <key>Label</key>${string(LABEL)}`,
    "  <key>ProgramArguments</key>",
    "  <array>",
    ...[program, "run", "--config", config].map((word) => `    ${string(word)}`),
    "  </array>",
    `  <key>UserName</key>${string(user)}`,
    `  <key>GroupName</key>${string(user)}`,
    `  <key>WorkingDirectory</key>${string(dataDir)}`,
    "  <key>RunAtLoad</key><true/>",
    "  <key>KeepAlive</key><true/>",
    "  <key>ThrottleInterval</key><integer>10</integer>",
    "  <key>ExitTimeOut</key><integer>60</integer>",
    "  <key>ProcessType</key>",
    `  ${string("Interactive")}`,
    "  <key>Umask</key><integer>63</integer>",
    "  <key>HardResourceLimits</key>",
    "  <dict><key>Core</key><integer>0</integer></dict>",
    `  <key>StandardOutPath</key>${string(`${LOGS}/posbridge.out`)}`,
    `  <key>StandardErrorPath</key>${string(`${LOGS}/posbridge.err`)}`,
    "</dict>",
    "</plist>",
  ];
  return `${lines.join("\n")}\n`;
}

function plan(settings: ServiceSettings): ServicePlan {
  const { config, dataDir, user } = settings;
  return {
    manager: "launchd",
    service: LABEL,
    account: { user, groups: [] },
    folders: [
      { path: config.slice(0, Math.max(1, config.lastIndexOf("/"))), mode: 0o755, owner: "root" },
      { path: dataDir, mode: 0o700, owner: "service" },
      { path: LOGS, mode: 0o700, owner: "service" },
    ],
    files: [{ path: PLIST, mode: 0o644, text: launchdPlist(settings) }],
    load: [],
    start: [{ argv: ["launchctl", "bootstrap", "system", PLIST], what: "start the service" }],
    restart: [{ argv: ["launchctl", "kickstart", "-k", `system/${LABEL}`], what: "start the service anew" }],
    unload: [{ argv: ["launchctl", "bootout", `system/${LABEL}`], what: "stop the service" }],
    unloaded: [],
  };
}

/** Parses the output of `launchctl print`. */
function state(output: string): ManagedState {
  const said = /^\s*state = (.+)$/m.exec(output)?.[1];
  const code = /^\s*last exit code = (.+)$/m.exec(output)?.[1];
  const isFailure = code !== undefined && code !== "0" && code !== "(never exited)";
  return {
    ...{
      installed: said !== undefined,
      enabled: said !== undefined,
      running: said === "running",
      state: said ?? "not loaded",
    },
    ...(isFailure && { failure: `last exit code ${code}` }),
  };
}

export const launchd: ServicePlatform = {
  manager: "launchd",
  installable: false,
  sign: "/Library/LaunchDaemons",
  packaged: [],
  hidden: [],
  program: "/usr/local/bin/posbridge",
  config: "/usr/local/etc/posbridge/posbridge.yaml",
  dataDir: "/usr/local/var/posbridge",
  plan,
  query: ["launchctl", "print", `system/${LABEL}`],
  state,
};
