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
import type { TerminalStatus } from "./status.ts";
import type { Standing } from "./status-keeper.ts";

export interface SessionOptions {
  readonly id: string;
  readonly model: DriverModel;
  /** The connection for people: "serial /dev/ttyACM0". */
  readonly connection: string;
  readonly transport: TransportKind;
  /** A value for every option of the model. */
  readonly options: Readonly<Record<string, string>>;
  readonly open: OpenLink;
  /** Reports plugged-in devices, which may be this terminal, until cancelled. */
  readonly plugged?: (told: () => void) => Cancel;
  /** The required serial number; without one, the first device that answers in this session sets it. */
  readonly expectedSerial?: string;
  /** In live, devices with published test keys are refused. */
  readonly environment: "test" | "live";
  readonly clock: Clock;
  /** The shop's current local time. */
  readonly localTime: () => LocalTime;
  readonly random: Random;
  readonly log: SessionLog;
  readonly tap: LineTap;
}

export type SessionEvent =
  | { readonly on: "notice"; readonly notice: Notice }
  | { readonly on: "status"; readonly status: TerminalStatus };

/** The result of identifying a device. `answerMs`: its response time; `told`: the report of a refused device. */
export type TestVerdict =
  | (SelfPortrait & { readonly ok: true; readonly answerMs: number })
  | { readonly ok: false; readonly problem: string; readonly told?: SelfPortrait };

export type TerminalTest = TestVerdict & { readonly status: TerminalStatus };

/** The check of a device with a link: the session's current command and the result so far. */
export interface Admission {
  step: AdmissionStep;
  n: number;
  stopGuard: Cancel;
  readonly startedAt: number;
  told: (SelfPortrait & { readonly answerMs: number }) | undefined;
}

/** The mutable state of a session, besides that of its parts. */
export interface Mood {
  linkUp: boolean;
  stopped: boolean;
  admission: Admission | undefined;
  /** Callers that wait for the running admission. */
  tests: ((result: TerminalTest) => void)[];
  /** Commands that came during a test of the terminal. */
  held: PendingCommand[];
  /** Why it is out of service until the device is plugged in again. */
  latched: string | undefined;
  serialNumber: string | undefined;
  /** A card transaction is open on the device, from collect to completion. */
  engaged: boolean;
  /** A payment uses the device: from its first collect to the final idle. */
  taken: boolean;
  /** The announced restart: its time (monotonic milliseconds), and the timer that stops waiting for it. */
  restart: { readonly atMs: number; readonly stopTimer: Cancel } | undefined;
  /** The last logged problem of a missing link; repetitions are logged at debug level. */
  lastTrouble: string | undefined;
  /** The last command of a stopping session, and the callback for its end. */
  farewell: { readonly n: number; readonly ended: () => void } | undefined;
}

/** The parts of one session; all functions of the session take it first. */
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
