import { driverModels } from "../../drivers/index.ts";
import { createEngine, type Engine } from "../../src/engine/engine.ts";
import { createPayments, type PaymentsDesk } from "../../src/engine/payments.ts";
import { createGateway } from "../../src/gateway/gateway.ts";
import type { HttpExchange } from "../../src/gateway/http-exchange.ts";
import type { MemoryJournal } from "../../src/journal/memory-journal.ts";
import type { Clock } from "../../src/kit/clock.ts";
import type { Random } from "../../src/kit/random.ts";
import { Secret } from "../../src/kit/secret.ts";
import { createSession } from "../../src/terminal/session.ts";
import { createTerminals, type TerminalSet } from "../../src/terminal/terminals.ts";
import type { Counter } from "./counter.ts";

export const ENTITY = "8a8294174b7ecb28014b9699220015ca";
export const TOKEN = "sandbox-token";
const RULES = { cardMs: 60_000, pinMs: 60_000, hostAnswerMs: 45_000, unknownWindowMs: 1_800_000 };
const MERCHANT = { name: "World", address: [] };

/** One life of the bridge: the production engine, sessions, driver, gateway client and journal, until `die`. */
export interface Life {
  readonly payments: PaymentsDesk;
  readonly engine: Engine;
  readonly terminals: TerminalSet;
  /** The process is killed: nothing of it runs any more. What is on the wire stays on the wire. */
  die(): void;
}

export interface LifePorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly journal: MemoryJournal;
  readonly http: HttpExchange;
  readonly counters: readonly Counter[];
  readonly failed: (problem: string) => void;
}

export async function beginLife({ clock, random, journal, http, counters, failed }: LifePorts): Promise<Life> {
  let alive = true;
  // A dead process hears no timer; its promises then never go on.
  const mortal: Clock = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (delayMs, run) => clock.after(delayMs, () => (alive ? run() : undefined)),
  };
  const survived = <T>(promise: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      promise.then(
        (value) => (alive ? resolve(value) : undefined),
        (cause: unknown) => (alive ? reject(cause) : undefined),
      );
    });
  const silent = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (fields: object, message: string) => failed(`${message} ${JSON.stringify(fields)}`),
  };
  const gateway = createGateway({
    ...{ clock: mortal, log: silent, baseUrl: "http://127.0.0.1:7718/", accessToken: new Secret(TOKEN) },
    http: { ...http, exchange: (request) => survived(http.exchange(request)) },
  });
  const localTime = () => localTimeAt(clock.now());
  const terminals = createTerminals(
    counters.map(({ id, model, serialNumber, plug }) => {
      const driver = driverModels.find((one) => one.id === model);
      if (driver === undefined) throw new RangeError(`no driver ${model}`);
      return createSession({
        ...{ id, model: driver, connection: "world", transport: "serial", environment: "test", clock: mortal, localTime, random, log: silent },
        expectedSerial: serialNumber,
        open: () => survived(plug.open()),
      });
    }),
  );
  const engine = createEngine({
    ...{ journal, gateway, terminals, clock: mortal, random, localTime, removalMs: 30_000, finished: () => undefined },
    alarms: { raise: () => undefined },
    broken: (payment, cause) => failed(`payment ${payment} broke: ${String(cause)}`),
  });
  const channel = { environment: "test", entityId: ENTITY, testMode: "INTERNAL" } as const;
  const settings = new Map(
    counters.map(({ id, deviceType, settlement }, at) => [
      id,
      { channel: { ...channel, settlement }, device: { terminalId: `1000000${at}`, deviceType, pinEntry: true } },
    ]),
  );
  const payments = createPayments({
    ...{ engine, journal, gateway, terminals, clock: mortal, random, settings, rules: RULES, merchant: MERCHANT },
    broken: (payment, cause) => failed(`payment ${payment} broke: ${String(cause)}`),
    reidentify: async (terminal) => (await terminals.test(terminal)).ok,
    wallTime: () => ({ date: "", time: "" }),
  });
  await engine.recover();
  terminals.start();
  return {
    payments,
    engine,
    terminals,
    die: () => {
      alive = false;
      for (const { plug } of counters) plug.drop();
    },
  };
}

function localTimeAt(epochMs: number): { date: string; time: string } {
  const digits = new Date(epochMs).toISOString().replaceAll(/[^0-9]/g, "");
  return { date: digits.slice(2, 8), time: digits.slice(8, 14) };
}
