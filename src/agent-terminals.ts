import type { Configuration, TerminalSettings } from "./config/configuration.ts";
import type { TerminalSettings as PaymentSettings } from "./engine/payments-ports.ts";
import type { KnownTerminals } from "./journal/known-terminals.ts";
import type { Clock } from "./kit/clock.ts";
import type { Random } from "./kit/random.ts";
import type { Log } from "./observe/log.ts";
import type { DriverModel, LineSettings } from "./terminal/driver.ts";
import type { OpenLink } from "./terminal/link.ts";
import { createSession, type Session } from "./terminal/session.ts";
import { openSerial } from "./transport/serial.ts";
import { openTcp } from "./transport/tcp.ts";

const CONNECT_MS = 10_000;

interface SessionPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly known: KnownTerminals;
  readonly localTime: () => { readonly date: string; readonly time: string };
}

/** A configured terminal that this program cannot talk to as configured. */
export class TerminalUnusable extends Error {
  constructor(terminal: string, problem: string) {
    super(`terminal ${terminal}: ${problem}`);
    this.name = "TerminalUnusable";
  }
}

/** One session a configured terminal, each with the way to its device. What answers is remembered by its serial number. */
export function terminalSessions(configuration: Configuration, models: readonly DriverModel[], ports: SessionPorts): readonly Session[] {
  return configuration.terminals.map((terminal) => {
    const { known, ...rest } = ports;
    const model = modelOf(terminal, models);
    const expectedSerial = known.serialNumber(terminal.id);
    const session = createSession({
      ...rest,
      id: terminal.id,
      model,
      environment: configuration.environment,
      connection: connectionText(terminal),
      transport: terminal.connection.kind,
      open: opener(terminal, model, ports.clock),
      ...(expectedSerial !== undefined && { expectedSerial }),
    });
    session.listen((event) => {
      if (event.on === "status" && event.status.state === "ready" && event.status.serialNumber !== undefined) {
        known.remember(terminal.id, event.status.serialNumber);
      }
    });
    return session;
  });
}

function modelOf({ id, model }: TerminalSettings, models: readonly DriverModel[]): DriverModel {
  const found = models.find((one) => one.id === model);
  if (found === undefined) throw new TerminalUnusable(id, `model ${model} is not one of ${models.map((one) => one.id).join(", ")}`);
  return found;
}

function connectionText({ connection }: TerminalSettings): string {
  return connection.kind === "serial" ? `serial ${connection.path}` : `tcp ${connection.host}:${connection.port}`;
}

function opener({ id, connection }: TerminalSettings, model: DriverModel, clock: Clock): OpenLink {
  if (connection.kind === "tcp") return () => openTcp(connection, { connectMs: CONNECT_MS, clock });
  const line = model.lines.find((one): one is Extract<LineSettings, { kind: "serial" }> => one.kind === "serial");
  if (line === undefined)
    throw new TerminalUnusable(id, `model ${model.id} has no serial line; connect it by ${model.lines.map((one) => one.kind).join(" or ")}`);
  return () => openSerial(connection.path, line);
}

/** What payments need to know of each configured terminal: its channel, and how the acquirer knows it. */
export function paymentSettings(configuration: Configuration, models: readonly DriverModel[]): ReadonlyMap<string, PaymentSettings> {
  const { environment, gateway, terminals } = configuration;
  return new Map(
    terminals.map((terminal) => {
      const { terminalId, deviceType, deviceId, location, entityId, settlement } = terminal;
      const channel = { environment, entityId, settlement, ...(gateway.testMode !== undefined && { testMode: gateway.testMode }) };
      const device = {
        terminalId,
        pinEntry: modelOf(terminal, models).capabilities.onlinePin,
        ...(deviceType !== undefined && { deviceType }),
        ...(deviceId !== undefined && { deviceId }),
        ...(location !== undefined && { location: { ...location } }),
      };
      return [terminal.id, { channel, device, oneCapture: gateway.captures === "one" }] as const;
    }),
  );
}
