import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import type { AddressFound, Findings, FolderFound, JournalFound, OutsideFindings } from "../checks/findings.ts";
import type { Configuration, TerminalSettings } from "../config/configuration.ts";
import { equip } from "../config/equip.ts";
import { followed } from "../config/load.ts";
import { openUntouched } from "../journal/database.ts";
import { openReadOnly } from "../journal/read-only.ts";
import { JournalRefused } from "../journal/refusal.ts";
import type { Clock } from "../kit/clock.ts";
import { within } from "../kit/within.ts";
import type { DriverModel } from "../terminal/driver.ts";
import { systemDeviceWitness } from "../transport/device-access.ts";
import { lookAtDevices } from "../transport/devices.ts";
import { type DeviceLook, deviceFindings } from "./device-findings.ts";
import { askedNames, authorityOf, diskOf, folderOf, wordsOf } from "./findings.ts";
import { openGateway } from "./gateway.ts";
import { connectionText } from "./lines.ts";
import { portAtRest } from "./port-at-rest.ts";
import { readPairedBook, surroundingsOf } from "./roster.ts";

/** Ports of the checks without a running bridge. They write nothing, start no payment and contact no terminal. */
export interface DoctorOn {
  readonly clock: Clock;
  readonly models: readonly DriverModel[];
  /** Whether NTP keeps the system's clock; undefined: unknown. */
  synchronized(): Promise<boolean | undefined>;
  /** This machine's devices by default. */
  readonly devices?: Pick<DeviceLook, "plugged" | "witness">;
}

type Found = Partial<Findings & OutsideFindings>;

/** The default address for registers. */
const USUAL = { host: "127.0.0.1", port: 7717 };
/** Time limit of a search for devices. */
const LOOK_MS = 5_000;
const CONNECT_MS = 3_000;
const JOURNAL_MS = 60_000;

/** The machine without a configuration: clock, plugged-in devices, and the default port. */
export async function findingsOfMachine(on: DoctorOn): Promise<Found> {
  const [time, devices, port] = await Promise.all([
    timeOf(on),
    devicesOf(on, [], true),
    portAtRest(USUAL, on.clock, []),
  ]);
  return { time, devices, port };
}

/** Everything that a configuration depends on, while no bridge runs. */
export async function findingsAtRest(configuration: Configuration, on: DoctorOn): Promise<Found> {
  const { dataDir, listen, webhooks, environment } = configuration;
  const terminals = terminalsAtRest(configuration, on.models);
  const [time, gateway, devices, addresses, port, webhookPort] = await Promise.all([
    timeOf(on),
    gatewayAtRest(configuration, on.clock),
    devicesOf(on, terminals, false),
    Promise.all(terminals.flatMap((terminal) => addressOf(terminal, on.clock))),
    portAtRest(listen, on.clock, askedNames(listen)),
    webhooks && portAtRest(webhooks.listen, on.clock, []),
  ]);
  const folder = folderAtRest(dataDir);
  return {
    ...{ environment, time, ...gateway, devices, addresses, port, folder, disk: diskOf(existing(dataDir)) },
    ...(webhookPort && { webhookPort }),
    authority: await authorityOf(dataDir, on.clock),
    journal: await journalAtRest(dataDir, on.clock),
    ...(terminals.length === 0 && { terminals: [] }),
  };
}

/** Includes paired terminals. The check of the configuration reports a conflict between both. */
function terminalsAtRest(file: Configuration, models: readonly DriverModel[]): readonly TerminalSettings[] {
  if (!fs.existsSync(file.dataDir)) return file.terminals;
  const equipped = equip(file, readPairedBook(file.dataDir), surroundingsOf(models));
  return equipped.ok ? equipped.configuration.terminals : file.terminals;
}

async function timeOf({ clock, synchronized }: DoctorOn): Promise<OutsideFindings["time"]> {
  const answer = await synchronized();
  return { now: clock.now(), ...(answer !== undefined && { synchronized: answer }) };
}

async function devicesOf(
  on: DoctorOn,
  terminals: readonly TerminalSettings[],
  others: boolean,
): Promise<Findings["devices"]> {
  const { plugged, witness } = on.devices ?? { plugged: lookAtDevices, witness: systemDeviceWitness() };
  const inPlace = terminals.map((terminal) => ({ terminal, place: {} }));
  const timely = () => timelyOr(on.clock, LOOK_MS, plugged(), { devices: [], notes: [] });
  return deviceFindings({ models: on.models, terminals: inPlace, followed, plugged: timely, witness }, { others });
}

async function timelyOr<T>(clock: Clock, limitMs: number, work: Promise<T>, late: T): Promise<T> {
  return (await within(clock, limitMs, work)) === "done" ? work : late;
}

async function gatewayAtRest(
  configuration: Configuration,
  clock: Clock,
): Promise<Pick<Findings, "gateway" | "credentials">> {
  const { probe, close } = openGateway(() => configuration, clock, { debug: () => undefined, warn: () => undefined });
  try {
    const gateway = await probe.reach();
    const credentials = gateway.answered
      ? await probe.ask(configuration.gateway.entityId)
      : ({ is: "no-answer" } as const);
    return { gateway, credentials };
  } finally {
    await close();
  }
}

/** Opens the connection and closes it without sending a byte. */
function addressOf(terminal: TerminalSettings, clock: Clock): readonly Promise<AddressFound>[] {
  const { connection, id } = terminal;
  if (connection.kind !== "tcp" && connection.kind !== "websocket") return [];
  const { host, port } = connection;
  const found = { terminal: id, address: connectionText(terminal).replace(/^\w+ /, "") };
  return [
    connects(host, port, clock).then((detail) => ({
      ...found,
      answered: detail === undefined,
      ...(detail !== undefined && { detail }),
    })),
  ];
}

/** Why the connection failed. */
function connects(host: string, port: number, clock: Clock): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port });
    const end = (detail?: string): void => {
      stop();
      socket.destroy();
      resolve(detail);
    };
    const stop = clock.after(CONNECT_MS, () => end(`no answer within ${CONNECT_MS / 1_000} s`));
    socket.once("connect", () => end());
    socket.once("error", (cause) => end(codeOf(cause) ?? cause.message));
  });
}

function codeOf(cause: Error): string | undefined {
  return "code" in cause ? String(cause.code) : undefined;
}

function folderAtRest(dataDir: string): FolderFound {
  return fs.existsSync(dataDir) ? folderOf(dataDir) : { path: dataDir, missing: true };
}

/** The folder, or its nearest existing parent. */
function existing(folder: string): string {
  return fs.existsSync(folder) || path.dirname(folder) === folder ? folder : existing(path.dirname(folder));
}

async function journalAtRest(dataDir: string, clock: Clock): Promise<JournalFound> {
  const file = path.join(dataDir, "journal.db");
  if (!fs.existsSync(file)) return { atRest: "none" };
  try {
    const { lastNumber, openPayments, rollbacks, close } = openReadOnly(dataDir, openUntouched);
    try {
      const facts = await timelyOr(clock, JOURNAL_MS, lastNumber(), 0);
      const open = (await openPayments()).length;
      return {
        atRest: "sound",
        bytes: fs.statSync(file).size,
        facts,
        open,
        rolledBack: rollbacks.some(({ confirmed }) => confirmed === undefined),
      };
    } finally {
      close();
    }
  } catch (cause) {
    if (cause instanceof JournalRefused) return { atRest: "refused", problem: cause.message };
    return { atRest: "refused", problem: wordsOf(cause) };
  }
}
