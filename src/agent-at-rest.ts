import { openGateway } from "./agent-gateway.ts";
import type { Configuration } from "./config/configuration.ts";
import type { ControlHandlers } from "./control/methods.ts";
import { resolveHandlers } from "./control/resolve.ts";
import { paymentsAtRest } from "./engine/at-rest.ts";
import { resolve } from "./engine/resolve.ts";
import type { GatewayLog } from "./gateway/gateway.ts";
import { openJournal } from "./journal/sqlite-journal.ts";
import { systemClock } from "./kit/system-clock.ts";
import { systemRandom } from "./kit/system-random.ts";

type Resolve = ControlHandlers["payments.resolve"];

/**
 * What the daemon does for `resolve`, while none runs: takes the data folder for itself, asks the gateway, writes what comes of it, and gives the folder back. Rejects with
 * JournalRefused where a daemon holds the folder or the journal is not sound.
 */
export async function resolveAtRest(configuration: Configuration, log: GatewayLog, order: Parameters<Resolve>[0]): ReturnType<Resolve> {
  const ports = { clock: systemClock, random: systemRandom };
  const { dataDir, environment } = configuration;
  const journal = await openJournal({ ...ports, dataDir, environment });
  const { gateway, close } = openGateway(configuration, ports.clock, log);
  try {
    const broken = Promise.withResolvers<never>();
    const payments = paymentsAtRest({ ...ports, journal, gateway, failed: broken.reject });
    const { "payments.resolve": handle } = resolveHandlers({ resolve: (key, what) => resolve(payments, key, what) });
    return await Promise.race([handle(order), broken.promise]);
  } finally {
    await close();
    await journal.close();
  }
}
