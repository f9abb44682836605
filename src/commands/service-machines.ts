import fs from "node:fs";
import path from "node:path";
import type { ServicePlatform } from "../service/plan.ts";
import type { ServiceMachine } from "./service-install.ts";
import { systemMachine } from "./service-machine.ts";
import { OperationFailed } from "./terminal-output.ts";

/** This machine, for its service manager. */
export function machineOf({ manager }: Pick<ServicePlatform, "manager">): ServiceMachine {
  return manager === "windows" ? windowsMachine : systemMachine;
}

/**
 * Windows has neither modes nor root. The plan's commands (icacls) set the access, and fail for a user without rights.
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
  // By its full path, because Windows first looks in the working folder.
  run: ([program = "", ...argv]) => {
    const { code, out, err } = systemMachine.run([
      path.join(process.env["SystemRoot"] ?? "C:\\Windows", "System32", program),
      ...argv,
    ]);
    // sc prints its errors on stdout.
    return { code, out, err: err === "" ? out.trim().replaceAll(/\s*\n\s*/g, " ") : err };
  },
};

/** Everybody may make links in C:\ProgramData, and could redirect the plan's commands to foreign files. */
function refuseLinked(folder: string): void {
  const there = nearestThere(path.resolve(folder));
  const real = fs.existsSync(there) ? fs.realpathSync(there) : there;
  if (real !== there)
    throw new OperationFailed(`${there} is a link to ${real}: name that folder itself, or remove the link`);
}

/** The folder or its nearest existing parent; the root for a missing drive. */
function nearestThere(folder: string): string {
  return fs.existsSync(folder) || path.dirname(folder) === folder ? folder : nearestThere(path.dirname(folder));
}
