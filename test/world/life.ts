import { driverModels } from "../../drivers/index.ts";
import type { Command } from "../../src/card/command.ts";
import type { Notice } from "../../src/card/notice.ts";
import { createDeletions } from "../../src/engine/gateway/deletions.ts";
import type { Alarms, DeletionBook, Journal } from "../../src/engine/ports.ts";
import { createPayments, type PaymentsDesk } from "../../src/engine/service/payment-service.ts";
import type { TerminalSettings } from "../../src/engine/service/service-ports.ts";
import { createEngine } from "../../src/engine/shell/engine.ts";
import { createGateway } from "../../src/gateway/gateway.ts";
import type { HttpExchange } from "../../src/gateway/http-exchange.ts";
import type { Clock } from "../../src/kit/clock.ts";
import type { Random } from "../../src/kit/random.ts";
import { Secret } from "../../src/kit/secret.ts";
import { NO_TERMINAL } from "../../src/payment/state/card-present.ts";
import { clockDigits } from "../../src/simulator/request-text.ts";
import { noTap } from "../../src/terminal/line-tap.ts";
import type { Link } from "../../src/terminal/link.ts";
import { usualOptions } from "../../src/terminal/options.ts";
import { createSession } from "../../src/terminal/session.ts";
import { createTerminals, type TerminalSet } from "../../src/terminal/terminals.ts";
import { createMortal } from "../support/mortal.ts";
import { UNKNOWN_WINDOW_MS } from "./checker/books.ts";
import type { Counter } from "./counter.ts";

export const ENTITY = "8a8294174b7ecb28014b9699220015ca";
export const TOKEN = "sandbox-token";
const RULES = {
  cardMs: 60_000,
  pinMs: 60_000,
  hostAnswerMs: 45_000,
  unknownWindowMs: UNKNOWN_WINDOW_MS,
  fallback: { allowed: true, chipTries: 3, withinMs: 60_000 },
};
const MERCHANT = { name: "World", address: [] };

/** One life of the bridge: the production engine, sessions, drivers, gateway client and journal, until `die`. */
export interface Life {
  isAlive(): boolean;
  /**
   * Resolves once every open payment is loaded: from then on registers are served. Never where the process dies before.
   */
  readonly served: Promise<PaymentsDesk>;
  /** What a call to this process comes to; undefined where it dies before it has answered. */
  call<T>(answer: Promise<T>): Promise<T | undefined>;
  /** The process is killed: nothing of it runs any more. What is on the wire stays on the wire. */
  die(): void;
}

export interface LifePorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly journal: Journal;
  readonly deletionBook: DeletionBook;
  /** How the shop's own channel settles, which is that of payments without a terminal. */
  readonly settlement: "dual" | "single";
  /** All channels take one capture of a reservation. */
  readonly oneCapture: boolean;
  readonly http: HttpExchange;
  readonly counters: readonly Counter[];
  /**
   * A frame is about to leave for the terminal: how many bytes of it do, or undefined for all. The process may be dead
   * by then.
   */
  readonly writing: (counter: Counter, bytes: Uint8Array) => number | undefined;
  readonly heard: (terminal: string, what: Command | Notice) => void;
  /** A person is told of this payment, by its id. */
  readonly alarmed: (payment: string) => void;
  /** Something that the product itself calls a defect. */
  readonly failed: (problem: string) => void;
}

export function beginLife(on: LifePorts): Life {
  const { counters } = on;
  const mortal = createMortal(on.clock);
  const open = (counter: Counter): Promise<Link> =>
    mortal.link(counter.plug.open, (bytes) => {
      const length = on.writing(counter, bytes);
      return length === undefined ? bytes : counter.plug.begun(bytes, length);
    });
  const served = serve(on, { clock: mortal.clock, http: mortal.exchange(on.http), open });
  return {
    isAlive: mortal.isAlive,
    served,
    call: (answer) => Promise.race([mortal.survived(answer), mortal.died]),
    die: () => {
      mortal.die();
      for (const { plug } of counters) plug.drop();
    },
  };
}

interface Ports {
  readonly clock: Clock;
  readonly http: HttpExchange;
  readonly open: (counter: Counter) => Promise<Link>;
}

async function serve(on: LifePorts, { clock, http, open }: Ports): Promise<PaymentsDesk> {
  const { random, journal, deletionBook, counters, settlement: ofShop, oneCapture, failed } = on;
  const silent = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    // Errors are for people, and most of them are what the script did to a terminal. A driver that throws is a defect
    // of ours.
    error: (fields: object, message: string) =>
      message.startsWith("the driver failed") ? failed(`${message} ${JSON.stringify(fields)}`) : undefined,
  };
  const gateway = createGateway({
    clock,
    log: silent,
    baseUrl: "http://127.0.0.1:7718/",
    accessToken: new Secret(TOKEN),
    http,
  });
  const localTime = () => clockDigits(clock.now());
  const sessions = counters.map((counter) => {
    const { id, line, serialNumber } = counter;
    const model = driverModels.find((one) => one.id === counter.driver);
    if (model === undefined) throw new RangeError(`no driver ${counter.driver}`);
    const options = { ...usualOptions(model.options), ...counter.options };
    const names = {
      id,
      connection: "world",
      transport: line,
      options,
      environment: "test",
      expectedSerial: serialNumber,
    } as const;
    return createSession({
      ...names,
      model,
      clock,
      localTime,
      random,
      log: silent,
      tap: noTap,
      open: () => open(counter),
    });
  });
  const terminals = overheard(createTerminals(sessions), on.heard);
  const alarms: Alarms = { raise: ({ payment }) => (payment === undefined ? undefined : on.alarmed(payment)) };
  const engine = createEngine({
    ...{ journal, gateway, terminals, clock, random, localTime, alarms, removalMs: 30_000, appended: () => undefined },
    broken: (payment, cause) => failed(`payment ${payment} broke: ${String(cause)}`),
  });
  const channel = { environment: "test", entityId: ENTITY, testMode: "INTERNAL" } as const;
  const settings = new Map<string, TerminalSettings>([
    ...counters.map(
      ({ id, deviceType, settlement }, at) =>
        [
          id,
          {
            oneCapture,
            channel: { ...channel, settlement },
            device: { terminalId: String(10_000_000 + at), deviceType, pinEntry: true },
          },
        ] as const,
    ),
    [
      NO_TERMINAL,
      { oneCapture, channel: { ...channel, settlement: ofShop }, device: { terminalId: "", pinEntry: false } },
    ],
  ]);
  const deletions = createDeletions({
    ...{
      book: deletionBook,
      gateway,
      budget: engine.budget,
      channels: [{ ...channel, settlement: ofShop }],
      clock,
      random,
      alarms,
    },
    hostAnswerMs: RULES.hostAnswerMs,
  });
  const payments = createPayments({
    ...{ engine, journal, gateway, terminals, clock, random, settings, deletions, rules: RULES, merchant: MERCHANT },
    broken: (payment, cause) => failed(`payment ${payment} broke: ${String(cause)}`),
    reidentify: async (terminal) => (await terminals.test(terminal)).ok,
    startOfDay: (at) => at - (at % 86_400_000),
    wallTime: () => ({ date: "", time: "" }),
  });
  await engine.recover();
  await deletions.recover();
  terminals.start();
  return payments;
}

function overheard(terminals: TerminalSet, heard: LifePorts["heard"]): TerminalSet {
  terminals.listen((event) => {
    if (event.on === "notice") heard(event.terminal, event.notice);
  });
  return {
    ...terminals,
    send: (terminal, command) => {
      heard(terminal, command);
      return terminals.send(terminal, command);
    },
  };
}
