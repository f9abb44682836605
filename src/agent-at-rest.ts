import type { Configuration } from "./config/configuration.ts";
import type { ControlHandlers } from "./control/methods.ts";
import { resolveHandlers } from "./control/resolve.ts";
import { paymentsAtRest } from "./engine/at-rest.ts";
import { resolve } from "./engine/resolve.ts";
import { createGateway, type GatewayLog } from "./gateway/gateway.ts";
import { createHttps } from "./gateway/https.ts";
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
  const { dataDir, environment, gateway: channel } = configuration;
  const journal = await openJournal({ ...ports, dataDir, environment });
  const http = createHttps({ baseUrl: channel.baseUrl, clock: ports.clock });
  try {
    const gateway = createGateway({ http, log, clock: ports.clock, baseUrl: channel.baseUrl, accessToken: channel.accessToken });
    const broken = Promise.withResolvers<never>();
    const payments = paymentsAtRest({ ...ports, journal, gateway, failed: broken.reject });
    const { "payments.resolve": handle } = resolveHandlers({ resolve: (key, what) => resolve(payments, key, what) });
    return await Promise.race([handle(order), broken.promise]);
  } finally {
    await http.close();
    await journal.close();
  }
}
