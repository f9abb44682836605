import { knownModels } from "../agent/models.ts";
import type { DriverModel } from "../terminal/driver.ts";
import { backupCommand } from "./backup.ts";
import { certificatesCommand } from "./certificates.ts";
import { checkConfigCommand } from "./check-config.ts";
import { doctorCommand } from "./doctor.ts";
import { journalCommand } from "./journal.ts";
import { licensesCommand } from "./licenses.ts";
import { paymentsCommand } from "./payments.ts";
import type { CommandLine } from "./program.ts";
import { reconcileCommand } from "./reconcile.ts";
import { reloadCommand } from "./reload.ts";
import { resolveCommand } from "./resolve.ts";
import { restoreCommand } from "./restore.ts";
import { rollbacksCommand } from "./rollbacks.ts";
import { runCommand } from "./run.ts";
import { serviceCommand } from "./service.ts";
import { setupCommand } from "./setup.ts";
import { stopCommand } from "./stop.ts";
import { supportBundleCommand } from "./support-bundle.ts";
import { terminalsCommand } from "./terminals.ts";
import { tokensCommand } from "./tokens.ts";

/** The commands of a shop; the demo has them too. */
export function shopCommands(models: readonly DriverModel[]): CommandLine["commands"] {
  const known = knownModels(models);
  return [
    (output) => runCommand(output, models),
    (output) => checkConfigCommand(output, known),
    (output) => setupCommand(output, models),
    (output) => doctorCommand(output, models),
    (output) => terminalsCommand(output, models),
    tokensCommand,
    certificatesCommand,
    paymentsCommand,
    reconcileCommand,
    journalCommand,
    (output) => resolveCommand(output, known),
    (output) => rollbacksCommand(output, known),
    backupCommand,
    (output) => restoreCommand(output, known),
    (output) => supportBundleCommand(output, models),
    licensesCommand,
    serviceCommand,
    stopCommand,
    reloadCommand,
  ];
}
