import type { Configuration } from "../config/configuration.ts";
import type { ControlHandlers } from "../control/methods.ts";
import { resolveHandlers } from "../control/resolve.ts";
import { rollbackHandlers } from "../control/rollbacks.ts";
import { sinceBackup } from "../engine/gateway/since-backup.ts";
import { closeUndecided } from "../engine/operator/close-undecided.ts";
import { paymentsAtRest } from "../engine/operator/offline-resolve.ts";
import { resolve } from "../engine/operator/resolve.ts";
import { createRollbackWatch } from "../engine/operator/rollback.ts";
import type { GatewayLog } from "../gateway/gateway.ts";
import { openReadOnly } from "../journal/read-only.ts";
import { openJournal } from "../journal/sqlite-journal.ts";
import { systemClock } from "../kit/system-clock.ts";
import { systemRandom } from "../kit/system-random.ts";
import { openGateway } from "./gateway.ts";
import { confirmProblem } from "./restored.ts";
import { openRollback } from "./rollback.ts";

type Resolve = ControlHandlers["payments.resolve"];
type Confirm = ControlHandlers["rollbacks.confirm"];

/**
 * Does the daemon's work for `resolve` while none runs, holding the folder's lock. Rejects with JournalRefused if that
 * is held or the journal is damaged.
 */
export async function resolveAtRest(
  configuration: Configuration,
  log: GatewayLog,
  order: Parameters<Resolve>[0],
): ReturnType<Resolve> {
  const ports = { clock: systemClock, random: systemRandom };
  const { dataDir, environment } = configuration;
  const journal = await openJournal({ ...ports, dataDir, environment });
  const { gateway, close } = openGateway(() => configuration, ports.clock, log);
  try {
    const broken = Promise.withResolvers<never>();
    const payments = paymentsAtRest({ ...ports, journal, gateway, failed: broken.reject });
    const restored = openRollback(journal.cursors)?.restored;
    const byWord: typeof resolve = (ports, key, what) => {
      if (restored === undefined) return resolve(ports, key, what);
      const since = sinceBackup(restored.read, journal.nameBegins);
      return closeUndecided({ journal, gateway, budget: ports.budget, since, now: systemClock.now }, key, what);
    };
    const { "payments.resolve": handle } = resolveHandlers({ resolve: (key, what) => byWord(payments, key, what) });
    return await Promise.race([handle(order), broken.promise]);
  } finally {
    await close();
    await journal.close();
  }
}

/** The same for `rollbacks confirm`, which needs no query. */
export async function confirmRollbackAtRest(
  dataDir: string,
  { unread, ...word }: { readonly by: string; readonly reason: string; readonly unread?: boolean | undefined },
): ReturnType<Confirm> {
  const ports = { clock: systemClock, random: systemRandom };
  const found = openReadOnly(dataDir);
  found.close();
  const journal = await openJournal({ ...ports, dataDir, environment: found.environment });
  try {
    const problem = await confirmProblem(journal, unread === true);
    if (problem !== undefined) return { ok: false, message: problem };
    // The refusal reports a broken journal, and this process ends anyway.
    const { confirm } = createRollbackWatch({ ...ports, journal, broken: () => undefined });
    return await rollbackHandlers({ confirmRollback: confirm })["rollbacks.confirm"](word);
  } finally {
    await journal.close();
  }
}
