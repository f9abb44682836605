import type { ServiceManager, ServiceStatus } from "./advapi.ts";

/*
 * The bridge as a service of Windows. The service manager starts the process, gets each phase, and asks for the end.
 * Everything else about Windows' services stays in this folder.
 */

export type ServicePhase =
  | { readonly is: "starting" }
  | { readonly is: "running" }
  | { readonly is: "stopping" }
  /** The exit code of the process. */
  | { readonly is: "stopped"; readonly code: number };

/** The service from its process's view. */
export interface WindowsService {
  /** Resolves when the service manager, or a shutdown of Windows, asks for the end. */
  readonly stopAsked: Promise<void>;
  /** The bridge takes payments. */
  ready(): void;
  /** Writes a line to the event log, because nobody reads a service's stderr. */
  tell(line: string): void;
}

/** Numbers of winsvc.h and winerror.h. */
const STATES = { starting: 2, running: 4, stopping: 3, stopped: 1 } as const;
const ACCEPT_STOP = 0x1;
const ACCEPT_PRESHUTDOWN = 0x100;
const CONTROL_STOP = 1;
const CONTROL_SHUTDOWN = 5;
const CONTROL_PRESHUTDOWN = 15;
const ERROR_SERVICE_SPECIFIC = 1066;

/** A large journal opens slowly, and running payments have 20 s to end. */
const PENDING_MS = 60_000;

export function statusOf(phase: ServicePhase): ServiceStatus {
  const isPending = phase.is === "starting" || phase.is === "stopping";
  const code = phase.is === "stopped" ? phase.code : 0;
  return {
    state: STATES[phase.is],
    accepted: phase.is === "running" ? ACCEPT_STOP | ACCEPT_PRESHUTDOWN : 0,
    exitCode: code === 0 ? 0 : ERROR_SERVICE_SPECIFIC,
    ownExitCode: code,
    checkpoint: isPending ? 1 : 0,
    waitHintMs: isPending ? PENDING_MS : 0,
  };
}

/** Tells whether the manager asks for the end. Other controls, such as INTERROGATE, need no answer. */
export function asksForTheEnd(control: number): boolean {
  return control === CONTROL_STOP || control === CONTROL_PRESHUTDOWN || control === CONTROL_SHUTDOWN;
}

/**
 * Reports this process as the manager's service. `onExit` must call back before the process ends: the manager's thread
 * keeps it alive until then. Rejects if the manager did not start this process.
 */
export async function beginService(
  manager: ServiceManager,
  onExit: (ending: (code: number) => void) => void,
): Promise<WindowsService> {
  const { promise: stopAsked, resolve: askToStop } = Promise.withResolvers<void>();
  let phase: ServicePhase = { is: "starting" };
  const enter = (next: ServicePhase): void => {
    phase = next;
    manager.report(statusOf(phase));
  };
  await manager.connect((control) => {
    if (!asksForTheEnd(control) || phase.is !== "running") return;
    enter({ is: "stopping" });
    askToStop();
  });
  onExit((code) => enter({ is: "stopped", code }));
  enter(phase);
  return {
    stopAsked,
    ready: () => {
      if (phase.is === "starting") enter({ is: "running" });
    },
    tell: (line) => manager.note(line),
  };
}
