import { ownerName, sudoAs } from "../kit/foreign-owner.ts";
import { type Check, fail, ok, warn } from "./check.ts";
import type { OutsideFindings } from "./findings.ts";

/** A command's own observations beside the bridge's report. */

export function judgeConfiguration(found: OutsideFindings["configuration"]): readonly Check[] {
  const name = "configuration";
  switch (found.is) {
    case "sound":
      return [ok(name, `${found.file} is sound.`)];
    case "wrong":
      return found.problems.map(({ where, problem, mend }) => fail(name, `${where} ${problem}.`, mend));
    case "absent":
      return [warn(name, `There is no configuration (${found.places.join(", ")}).`, "Write one: posbridge setup")];
  }
}

export function judgeBridge(found: OutsideFindings["bridge"]): readonly Check[] {
  const name = "bridge";
  switch (found.is) {
    case "running":
      return found.version === found.own
        ? [ok(name, `posbridge ${found.version} runs (pid ${found.pid}); it answered the checks below.`)]
        : [
            warn(
              name,
              `posbridge ${found.version} runs (pid ${found.pid}), and this command is of version ${found.own}.`,
              "Start the bridge again, so that it is of this version.",
            ),
          ];
    case "none":
      return [ok(name, "No bridge runs on this data folder; the checks below were made by this command.")];
    case "silent":
      return [
        fail(name, `A bridge runs and does not answer: ${found.problem}.`, "Look at its log, then start it again."),
      ];
    case "hidden":
      return [
        warn(
          name,
          `This user may not look into ${found.dataDir}: nobody can tell from here whether a bridge runs.`,
          `Run it as the bridge's user: ${found.owner === undefined ? "sudo -u USER" : sudoAs(found.owner)} posbridge doctor --config FILE`,
        ),
      ];
  }
}

export function judgeUser({ isRoot, owner }: OutsideFindings["user"]): readonly Check[] {
  if (!isRoot || owner === undefined) return [];
  return [
    warn(
      "user",
      `This is root, who may open every device and file; the bridge's user is ${ownerName(owner)}.`,
      `Let the bridge's user look: ${sudoAs(owner)} posbridge doctor --config FILE`,
    ),
  ];
}

/** Earlier than this version, so the clock is wrong. */
const TOO_EARLY = Date.UTC(2026, 0, 1);

/** The local clock, if no gateway gives the time. */
export function judgeTime({ now, synchronized }: OutsideFindings["time"]): Check {
  const name = "clock";
  const fix = "Set this machine's clock, and have it keep time by NTP (timedatectl set-ntp true).";
  const text = `The clock says ${new Date(now).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  if (now < TOO_EARLY) return fail(name, `${text}, which is long ago.`, fix);
  if (synchronized === true) return ok(name, `${text}, and the system keeps it by NTP.`);
  if (synchronized === false) return warn(name, `${text}, and the system does not keep it by NTP.`, fix);
  return warn(
    name,
    `${text}; nothing on this machine tells whether that is right.`,
    "Compare it with a watch, and have it kept by NTP.",
  );
}
