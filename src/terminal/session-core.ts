import type { LocalTime } from "../card/command.ts";
import type { Notice } from "../card/notice.ts";
import type { Cancel, Clock } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import type { AdmissionStep, SelfPortrait } from "./admission.ts";
import type { Announcer } from "./announcer.ts";
import type { CommandBook, PendingCommand } from "./command-book.ts";
import type { Connection } from "./connection.ts";
import type { DriverModel, TransportKind } from "./driver.ts";
import type { DriverRunner } from "./driver-runner.ts";
import type { KsnWatch } from "./ksn-watch.ts";
import type { LineTap } from "./line-tap.ts";
import type { OpenLink } from "./link.ts";
import type { SessionLog } from "./session-log.ts";
import type { Standing } from "./standing.ts";
import type { TerminalStatus } from "./status.ts";

export interface SessionOptions {
  readonly id: string;
  readonly model: DriverModel;
  /** Where it is connected, for people: "serial /dev/ttyACM0". */
  readonly connection: string;
  readonly transport: TransportKind;
  /** A value for every option of the model. */
  readonly options: Readonly<Record<string, string>>;
  readonly open: OpenLink;
  /** Tells, until it is cancelled, when something was plugged in that may be this terminal. */
  readonly plugged?: (told: () => void) => Cancel;
  /** The serial number the device must have; without one, the first that answers in the life of this session becomes it. */
  readonly expectedSerial?: string;
  /** In live, devices with published test keys are refused. */
  readonly environment: "test" | "live";
  readonly clock: Clock;
  /** What a clock on the shop's wall shows now. */
  readonly localTime: () => LocalTime;
  readonly random: Random;
  readonly log: SessionLog;
  readonly tap: LineTap;
}

export type SessionEvent = { readonly on: "notice"; readonly notice: Notice } | { readonly on: "status"; readonly status: TerminalStatus };

/** What asking a device who it is came to. `answerMs` is how long it took to answer; `told` is what a device told that is refused for it. */
export type TestVerdict =
  | (SelfPortrait & { readonly ok: true; readonly answerMs: number })
  | { readonly ok: false; readonly problem: string; readonly told?: SelfPortrait };

export type TerminalTest = TestVerdict & { readonly status: TerminalStatus };

/** Proving a device that has a link: which command of the session's own is under way for it, and what came of it so far. */
export interface Admission {
  step: AdmissionStep;
  n: number;
  stopGuard: Cancel;
  readonly startedAt: number;
  told: (SelfPortrait & { readonly answerMs: number }) | undefined;
}

/** What changes in the life of a session besides what its parts keep. */
export interface Mood {
  linkUp: boolean;
  stopped: boolean;
  admission: Admission | undefined;
  /** Who waits for the admission that is under way. */
  tests: ((result: TerminalTest) => void)[];
  /** Commands that came while a terminal in service was being tested. */
  held: PendingCommand[];
  /** Why it is out of service until the device is plugged in again. */
  latched: string | undefined;
  serialNumber: string | undefined;
  /** A card transaction is open on the device, from collect to its last word. */
  engaged: boolean;
  /** A payment has the device: from its first collect to the idle that gives it back. */
  taken: boolean;
  /** The device said that it starts anew by itself: when (monotonic milliseconds), and the timer that stops waiting for it. */
  restart: { readonly atMs: number; readonly stopTimer: Cancel } | undefined;
  /** What was last told loudly about a link that does not come; its repetitions are told quietly. */
  lastTrouble: string | undefined;
  /** The farewell command of a session that stops, and who waits for its end. */
  farewell: { readonly n: number; readonly ended: () => void } | undefined;
}

/** The parts of one session; every function beside this file takes it first. */
export interface Core {
  readonly on: SessionOptions;
  readonly announcer: Announcer<SessionEvent>;
  readonly standing: Standing;
  readonly book: CommandBook;
  readonly ksn: KsnWatch;
  readonly runner: DriverRunner;
  readonly connection: Connection;
  readonly mood: Mood;
}
