import fs from "node:fs";
import path from "node:path";
import type { ServicePlatform } from "../service/plan.ts";
import type { ServiceMachine } from "./service-install.ts";
import { systemMachine } from "./service-machine.ts";

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
