import type { Configuration } from "../config/configuration.ts";
import { createDeletions, type Deletions } from "../engine/gateway/deletions.ts";
import type { Alarms, DeletionBook, Gateway, Journal, NameBegins } from "../engine/ports.ts";
import { createPayments, type PaymentsDesk } from "../engine/service/payment-service.ts";
import type { PaymentsPorts } from "../engine/service/service-ports.ts";
import type { Appended } from "../engine/shell/appended.ts";
import { createEngine, type Engine, type EnginePorts } from "../engine/shell/engine.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { DriverModel } from "../terminal/driver.ts";
import type { TerminalSet } from "../terminal/terminals.ts";
import { tellOfConfirmation, tellOfPast } from "./rollback.ts";
import { tellOfSteps, timedGateway, timedJournal } from "./telling.ts";
import { channelsOf, paymentSettings } from "./terminals.ts";

export interface Till {
  readonly engine: Engine;
  readonly payments: PaymentsDesk;
  readonly deletions: Deletions;
  readonly gateway: Gateway;
  /** Sets the terminals and the settings of new payments. */
  equip(configuration: Configuration): void;
}

export type TillPorts = Pick<PaymentsPorts, "clock" | "random" | "wallTime" | "startOfDay"> &
  Pick<EnginePorts, "localTime">;

interface TillParts {
  readonly ports: TillPorts;
  readonly configuration: Configuration;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly models: readonly DriverModel[];
  readonly books: {
    readonly journal: Journal & { readonly nameBegins?: NameBegins };
    readonly deletions: DeletionBook;
  };
  readonly terminals: TerminalSet;
  readonly gateway: Gateway;
  /** Gets the journal's steps, for traces. */
  readonly traced?: ((step: Appended) => void) | undefined;
  readonly broken: (payment: string, cause: unknown) => void;
}

/**
 * Connects the engine with terminals, gateway and journal, and registers with the engine. It does not know whether its
 * ports are real.
 */
export function openTill({
  ports,
  configuration,
  models,
  log,
  metrics,
  books: { deletions: book, ...books },
  terminals,
  ...parts
}: TillParts): Till {
  let now = configuration;
  const journal = timedJournal(books.journal, metrics, ports.clock);
  const gateway = timedGateway(parts.gateway, metrics, ports.clock);
  const engineBroken = (payment: string, cause: unknown): void => {
    log.error(
      { payment, error: errorText(cause) },
      "a payment cannot go on in this process; the bridge ends, and recovers at its next start",
    );
    parts.broken(payment, cause);
  };
  const alarms: Alarms = {
    raise: ({ what, ...fields }) => {
      metrics.alarmRaised();
      log.error({ alarm: true, ...fields }, what);
    },
  };
  const engine = createEngine({
    ...ports,
    ...{
      journal,
      gateway,
      terminals,
      removalMs: configuration.timeouts.removalMs,
      alarms,
      nameBegins: books.journal.nameBegins,
    },
    appended: inTurn(tellOfSteps(log, metrics, ports.clock), parts.traced),
    broken: engineBroken,
  });
  const settings = new Map(paymentSettings(configuration, models));
  const channels = [...channelsOf(settings)];
  const deletions = createDeletions({
    ...ports,
    ...{ book, gateway, alarms, budget: engine.budget, channels },
    get hostAnswerMs() {
      return now.timeouts.hostAnswerMs;
    },
  });
  const payments = createPayments({
    ...ports,
    ...{ engine, journal, gateway, terminals, settings, deletions },
    // A payment keeps the settings of its acceptance.
    get rules() {
      const { cardMs, pinMs, hostAnswerMs, unknownWindowMs } = now.timeouts;
      return { cardMs, pinMs, hostAnswerMs, unknownWindowMs, fallback: { ...now.fallback } };
    },
    get merchant() {
      return now.merchant;
    },
    broken: (_payment, cause) => engineBroken("journal", cause),
    nameBegins: books.journal.nameBegins,
    pastMissing: tellOfPast(log, metrics),
    rollbackConfirmed: tellOfConfirmation(log),
    reidentify: async (terminal) => (await terminals.test(terminal)).ok,
  });
  const equip = (equipped: Configuration): void => {
    now = equipped;
    settings.clear();
    for (const [terminal, one] of paymentSettings(equipped, models)) settings.set(terminal, one);
    channels.splice(0, channels.length, ...channelsOf(settings));
  };
  return { engine, payments, deletions, gateway, equip };
}

function inTurn(
  first: (step: Appended) => void,
  second: ((step: Appended) => void) | undefined,
): (step: Appended) => void {
  return (step) => {
    first(step);
    second?.(step);
  };
}

function errorText(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
