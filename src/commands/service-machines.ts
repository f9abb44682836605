import fs from "node:fs";
import path from "node:path";
import type { ServicePlatform } from "../service/plan.ts";
import type { ServiceMachine } from "./service-install.ts";
import { systemMachine } from "./service-machine.ts";
import { OperationFailed } from "./terminal-output.ts";

/** This machine, for the service manager that runs on it. */
export function machineOf({ manager }: Pick<ServicePlatform, "manager">): ServiceMachine {
  return manager === "windows" ? windowsMachine : systemMachine;
}

/**
 * Windows knows neither modes nor root: what a folder may be used for is set by the plan's commands (icacls), and who may not do it is told by the first of them that
 * fails.
 */
const windowsMachine: ServiceMachine = {
  ...systemMachine,
  isRoot: () => true,
  modes: () => undefined,
  give: () => undefined,
  reader: () => undefined,
  folder: (folder) => {
    refuseLinked(folder);
    const stat = fs.statSync(folder, { throwIfNoEntry: false });
    return stat && { user: "root", empty: stat.isDirectory() && fs.readdirSync(folder).length === 0 };
  },
  makeFolder: ({ path: folder }) => void fs.mkdirSync(folder, { recursive: true }),
  hasUser: () => false,
  hasGroup: () => true,
  // By its whole path: Windows looks into the working folder first.
  run: ([program = "", ...argv]) => {
    const { code, out, err } = systemMachine.run([path.join(process.env["SystemRoot"] ?? "C:\\Windows", "System32", program), ...argv]);
    // sc tells its failures on stdout.
    return { code, out, err: err === "" ? out.trim().replaceAll(/\s*\n\s*/g, " ") : err };
  },
};

/** Everybody may make links in C:\ProgramData, and would choose whose files the plan's commands give away. */
function refuseLinked(folder: string): void {
  const there = nearestThere(path.resolve(folder));
  const real = fs.existsSync(there) ? fs.realpathSync(there) : there;
  if (real !== there) throw new OperationFailed(`${there} is a link to ${real}: name that folder itself, or remove the link`);
}

/** The folder or the nearest one above it that is there; of a drive that is not there, its root. */
function nearestThere(folder: string): string {
  return fs.existsSync(folder) || path.dirname(folder) === folder ? folder : nearestThere(path.dirname(folder));
}
