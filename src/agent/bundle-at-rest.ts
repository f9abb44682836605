import fs from "node:fs";
import type { Check } from "../checks/check.ts";
import type { Configuration } from "../config/configuration.ts";
import type { Gateway } from "../engine/ports.ts";
import { readFact, readPayment } from "../engine/shell/journal-replay.ts";
import { openUntouched } from "../journal/database.ts";
import { openReadOnly, type ReadOnlyJournal } from "../journal/read-only.ts";
import { type Clock, isoTime } from "../kit/clock.ts";
import { createRecentLines, type RecentLine } from "../observe/recent-lines.ts";
import { type Bundle, supportBundle } from "../observe/support-bundle.ts";
import { viewOf } from "../payment/view.ts";
import type { DriverModel } from "../terminal/driver.ts";
import { wordsOf } from "./findings.ts";
import { openGateway } from "./gateway.ts";
import { listedOpen } from "./open.ts";
import { MOST_LINES, MOST_OPEN, openPartOf } from "./technician.ts";
import { listAtRest } from "./terminals-at-rest.ts";

interface BundleOn {
  readonly version: string;
  readonly clock: Clock;
  readonly dataDir: string;
  readonly models: readonly DriverModel[];
  /** The configuration, or its problems. */
  readonly configuration: Configuration | { readonly problems: readonly string[] };
  readonly checks: readonly Check[];
}

/** A support bundle without a bridge, from the files on disk. Nothing is written. */
export async function bundleAtRest({
  version,
  clock,
  dataDir,
  models,
  configuration,
  checks,
}: BundleOn): Promise<Bundle> {
  const sound = "problems" in configuration ? undefined : configuration;
  const { node, v8, modules } = process.versions;
  return supportBundle({
    ...{ version, at: isoTime(clock.now()), running: false },
    runtime: { node, v8, modules, platform: process.platform, arch: process.arch },
    configuration,
    terminals: sound === undefined ? [] : orProblem(() => listAtRest(sound, models)),
    checks,
    ...(await ofJournal(dataDir, sound, clock)),
    log: sound?.log.file === undefined ? [] : orProblem(() => lastLines(sound.log.file ?? "")),
  });
}

function orProblem<T>(read: () => T): T | { readonly problem: string } {
  try {
    return read();
  } catch (cause) {
    return { problem: wordsOf(cause) };
  }
}

async function ofJournal(dataDir: string, configuration: Configuration | undefined, clock: Clock): Promise<object> {
  const opened = orProblem(() => openReadOnly(dataDir, openUntouched));
  if ("problem" in opened) return { openPayments: opened };
  const asked =
    configuration && openGateway(() => configuration, clock, { debug: () => undefined, warn: () => undefined });
  try {
    const gateway = asked?.gateway ?? { reaches: () => true };
    return {
      bridge: opened.bridge,
      openPayments: await openPayments(opened, gateway, clock).catch((cause: unknown) => ({ problem: wordsOf(cause) })),
    };
  } finally {
    opened.close();
    await asked?.close();
  }
}

async function openPayments(
  journal: ReadOnlyJournal,
  gateway: Pick<Gateway, "reaches">,
  clock: Clock,
): Promise<readonly object[]> {
  const newest = (await journal.openPayments()).slice(-MOST_OPEN);
  const found = await Promise.all(newest.map((id) => journal.facts(id)));
  return found.flatMap((stored) => {
    const payment = readPayment(stored)?.payment;
    if (payment === undefined || listedOpen(payment) === undefined) return [];
    const recorded = {
      facts: stored.map(readFact),
      payment,
      view: viewOf(payment, undefined, "listed"),
      now: clock.now(),
    };
    return [openPartOf(recorded, gateway)];
  });
}

const TAIL_BYTES = 1_048_576;

/** The newest lines of the log's file and of the one rotated before. */
function lastLines(file: string): readonly RecentLine[] {
  const recent = createRecentLines("file");
  const written = [`${file}.1`, file].filter((each) => fs.existsSync(each)).flatMap(tailOf);
  for (const line of written.filter(isLogLine)) recent.add(line);
  return recent.page({ limit: MOST_LINES }).lines;
}

/** The last lines of a file; the first may be incomplete. */
function tailOf(file: string): readonly string[] {
  const handle = fs.openSync(file, "r");
  try {
    const { size } = fs.fstatSync(handle);
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
    const length = fs.readSync(handle, bytes, 0, bytes.length, size - bytes.length);
    return bytes.subarray(0, length).toString("utf8").split("\n");
  } finally {
    fs.closeSync(handle);
  }
}

function isLogLine(line: string): boolean {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === "object" && parsed !== null;
  } catch {
    return false;
  }
}
