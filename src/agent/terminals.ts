import type { Configuration, TerminalSettings } from "../config/configuration.ts";
import type { TerminalSettings as PaymentSettings } from "../engine/service/service-ports.ts";
import { gatewayBase } from "../gateway/base-url.ts";
import type { KnownDevice, KnownTerminals, KnownUsb } from "../journal/known-terminals.ts";
import type { Clock } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import { NO_TERMINAL } from "../payment/state.ts";
import type { DriverModel } from "../terminal/driver.ts";
import type { LineTap } from "../terminal/line-tap.ts";
import { createLineWitness, type LineWitness } from "../terminal/line-witness.ts";
import { readOptions } from "../terminal/options.ts";
import { createSession, type Session } from "../terminal/session.ts";
import type { TerminalStatus } from "../terminal/status.ts";
import { createTrace, type Trace } from "../terminal/trace.ts";
import type { KnownPort } from "../transport/serial-place.ts";
import { connectionText, type LinePlace, type TerminalLine, TerminalUnusable, terminalLine } from "./lines.ts";

export interface SessionPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "linkOpened" | "linkLost" | "frameFailed">;
  /** Gets the trace of each terminal, by its id. */
  readonly traces: Map<string, Trace>;
  readonly known: KnownTerminals;
  readonly localTime: () => { readonly date: string; readonly time: string };
  /** The line to each device; real by default. */
  readonly lineTo?: typeof terminalLine;
}

/** One session for each configured terminal. The serial number of its device is remembered. */
export function terminalSessions(
  configuration: Configuration,
  models: readonly DriverModel[],
  ports: SessionPorts,
): readonly Session[] {
  return configuration.terminals.map((terminal) => {
    const opened = openTerminal(terminal, { configuration: () => configuration, models }, ports);
    opened.serve();
    return opened.session;
  });
}

/** A terminal with a session of its own. */
export interface OpenTerminal {
  readonly session: Session;
  readonly model: DriverModel;
  readonly witness: LineWitness;
  /** From now on this device is the terminal: it is remembered, and its line can be traced. */
  serve(): void;
  /** The last serial path, and the USB device behind it. */
  place(): LinePlace;
}

/** `isNew`: any device is accepted, because none is known yet. */
export function openTerminal(
  terminal: TerminalSettings,
  {
    configuration,
    models,
    isNew = false,
  }: { readonly configuration: () => Configuration; readonly models: readonly DriverModel[]; readonly isNew?: boolean },
  { known, metrics, traces, lineTo = terminalLine, ...rest }: SessionPorts,
): OpenTerminal {
  const { log, clock } = rest;
  const model = modelOf(terminal, models);
  const expectedSerial = isNew ? undefined : known.serialNumber(terminal.id);
  const options = optionsOf(terminal, model);
  for (const question of model.acquirerQuestions?.(options) ?? [])
    log.info({ terminal: terminal.id, question }, "to be settled with the acquirer");
  let isServing = false;
  const line = lineTo(terminal, {
    ...{ model, options, clock, others: () => otherPaths(terminal, configuration()) },
    known: () => (isNew && !isServing ? {} : knownPort(known, terminal.id)),
    moved: (path) => log.info({ terminal: terminal.id, path }, "the terminal is at this serial port now"),
  });
  const trace = createTrace({ model, transport: terminal.connection.kind, clock });
  const witness = createLineWitness();
  const session = createSession({
    ...rest,
    id: terminal.id,
    model,
    environment: configuration().environment,
    connection: connectionText(terminal),
    transport: terminal.connection.kind,
    options,
    open: line.open,
    tap: bothTaps(trace, {
      ...witness.tap,
      opened: () => {
        metrics.linkOpened(terminal.id);
        witness.tap.opened();
      },
      frameError: (error) => metrics.frameFailed(terminal.id, error),
      lost: () => metrics.linkLost(terminal.id),
    }),
    ...(line.plugged && { plugged: line.plugged }),
    ...(expectedSerial !== undefined && { expectedSerial }),
  });
  const remember = ({ state, serialNumber, firmware, configuration: runsOn }: TerminalStatus): void => {
    if (state !== "ready" || serialNumber === undefined) return;
    rememberDevice({ known, log }, terminal.id, { serialNumber, firmware, configuration: runsOn, usb: usbOf(line) });
  };
  const serve = (): void => {
    witness.forget();
    isServing = true;
    traces.set(terminal.id, trace);
    session.listen((event) => {
      if (event.on === "status") remember(event.status);
    });
    remember(session.status());
  };
  return { session, model, witness, serve, place: line.place };
}

function bothTaps(one: LineTap, other: LineTap): LineTap {
  return {
    opened: () => {
      one.opened();
      other.opened();
    },
    sent: (bytes) => {
      one.sent(bytes);
      other.sent(bytes);
    },
    received: (bytes) => {
      one.received(bytes);
      other.received(bytes);
    },
    frameError: (error) => {
      one.frameError(error);
      other.frameError(error);
    },
    lost: () => {
      other.lost();
      one.lost();
    },
  };
}

/** Stores the device's identity for the next start. A failing disk prevents no sale. */
export function rememberDevice(
  { known, log }: { readonly known: KnownTerminals; readonly log: Pick<Log, "warn"> },
  terminal: string,
  device: KnownDevice,
): void {
  try {
    const changed = known.remember(terminal, device);
    if (changed.length > 0)
      log.warn(
        { terminal, changed },
        "the terminal does not run on what it ran on before: make sure that somebody meant to change it",
      );
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    const lost =
      "which device this terminal is could not be written into terminals.json: another one in its place would not be noticed after a restart";
    log.warn(
      { terminal, problem },
      `${lost}; make room on the data folder's disk and let this user write there; it is tried again when the terminal is connected anew`,
    );
  }
}

function otherPaths({ id }: TerminalSettings, { terminals }: Configuration): readonly string[] {
  return terminals.flatMap(({ id: other, connection }) =>
    other !== id && connection.kind === "serial" ? [connection.path] : [],
  );
}

function knownPort(known: KnownTerminals, terminal: string): KnownPort {
  const usb = known.usb(terminal);
  const serialNumber = known.serialNumber(terminal);
  return { ...(usb && { usb }), ...(serialNumber !== undefined && { serialNumber }) };
}

function usbOf(line: TerminalLine): KnownUsb | undefined {
  const { usb } = line.place();
  if (usb === undefined) return undefined;
  const { vendorId, productId, serialNumber } = usb;
  return { vendorId, productId, ...(serialNumber !== undefined && { serialNumber }) };
}

function modelOf({ id, model }: TerminalSettings, models: readonly DriverModel[]): DriverModel {
  const found = models.find((one) => one.id === model);
  if (found === undefined)
    throw new TerminalUnusable(id, `model ${model} is not one of ${models.map((one) => one.id).join(", ")}`);
  return found;
}

function optionsOf({ id, options }: TerminalSettings, model: DriverModel): Readonly<Record<string, string>> {
  const read = readOptions(model.options, options);
  if (!read.ok) throw new TerminalUnusable(id, `model ${model.id} ${read.problem}`);
  return read.options;
}

/** Each terminal's channel and identity at the acquirer, and the shop's own channel for payments without a terminal. */
export function paymentSettings(
  configuration: Configuration,
  models: readonly DriverModel[],
): ReadonlyMap<string, PaymentSettings> {
  const { gateway, terminals } = configuration;
  const oneCapture = gateway.captures === "one";
  const shop: PaymentSettings = {
    channel: channelOf(configuration, gateway),
    device: { terminalId: "", pinEntry: false },
    oneCapture,
  };
  return new Map([
    ...terminals.map((terminal) => {
      const { terminalId, deviceType, deviceId, location } = terminal;
      const device = {
        terminalId,
        pinEntry: modelOf(terminal, models).capabilities.onlinePin,
        ...(deviceType !== undefined && { deviceType }),
        ...(deviceId !== undefined && { deviceId }),
        ...(location !== undefined && { location: { ...location } }),
      };
      return [terminal.id, { channel: channelOf(configuration, terminal), device, oneCapture }] as const;
    }),
    [NO_TERMINAL, shop] as const,
  ]);
}

/** One channel for each entity: all places of this shop at the gateway. */
export function channelsOf(settings: ReadonlyMap<string, PaymentSettings>): readonly PaymentSettings["channel"][] {
  return [...new Map([...settings.values()].map(({ channel }) => [channel.entityId, channel])).values()];
}

function channelOf(
  { environment, gateway: { baseUrl, testMode } }: Configuration,
  { entityId, settlement, settlementByBrand }: Pick<TerminalSettings, "entityId" | "settlement" | "settlementByBrand">,
): PaymentSettings["channel"] {
  const isPlain = Object.keys(settlementByBrand).length === 0;
  const otherwise = {
    ...(testMode !== undefined && { testMode }),
    ...(!isPlain && { settlementByBrand: { ...settlementByBrand } }),
  };
  return { gateway: gatewayBase(baseUrl).href, environment, entityId, settlement, ...otherwise };
}
