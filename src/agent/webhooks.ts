import type { WebhookSettings } from "../config/configuration.ts";
import type { Engine } from "../engine/shell/engine.ts";
import type { Clock } from "../kit/clock.ts";
import { fromHex } from "../kit/hex.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import { type Listener, listenForWebhooks } from "../webhook/listener.ts";
import { createReceiver } from "../webhook/receiver.ts";

interface Hearing {
  readonly engine: Pick<Engine, "hint">;
  readonly metrics: Pick<Metrics, "webhookReceived">;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * Listens for the gateway's notifications, each of which only triggers a query. Rejects with WebhooksUnheard if the
 * port cannot be opened.
 */
export async function hearWebhooks(
  { listen, path, key }: WebhookSettings,
  { engine, metrics, log, clock }: Hearing,
): Promise<Listener> {
  const receiver = createReceiver({
    clock,
    log,
    key: fromHex(key.reveal()),
    hint: engine.hint,
    counted: metrics.webhookReceived,
  });
  const { host, port, tls } = listen;
  const shown = tls && { tls: { cert: tls.cert, key: tls.key.reveal() } };
  const problem = (error: unknown): void =>
    log.error({ error: error instanceof Error ? error.message : String(error) }, "a webhook failed");
  const listener = await listenForWebhooks({ host, port, path, ...shown }, receiver, problem);
  log.info({ host, port: listener.port, path }, "webhooks are heard");
  return listener;
}
