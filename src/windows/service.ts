import type { ServiceManager, ServiceStatus } from "./advapi.ts";

/*
 * The bridge as a service of Windows. The service manager starts the process, is told of each phase, and asks for the end; nothing else of Windows' services is known
 * outside this folder.
 */

export type ServicePhase =
  | { readonly is: "starting" }
  | { readonly is: "running" }
  | { readonly is: "stopping" }
  /** The code with which the process ends. */
  | { readonly is: "stopped"; readonly code: number };

/** The service in the hands of its process. */
export interface WindowsService {
  /** Resolves when the service manager, or Windows that shuts down, asks for the end. */
  readonly stopAsked: Promise<void>;
  /** The bridge sells. */
  ready(): void;
  /** A line for the event log: nobody reads the stderr of a service. */
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

/** A large journal takes its time to open, and running payments have 20 s to end. */
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

/** Whether the manager asks for the end. All else, such as "how do you stand", needs no answer but that it was heard. */
export function asksForTheEnd(control: number): boolean {
  return control === CONTROL_STOP || control === CONTROL_PRESHUTDOWN || control === CONTROL_SHUTDOWN;
}

/**
 * Tells the service manager that this process is its service. `onExit` has to call back before the process is gone: the manager's thread ends only once it knows, and
 * until then keeps the process from ending. Rejects where the service manager has not started this process.
 */
export async function beginService(manager: ServiceManager, onExit: (ending: (code: number) => void) => void): Promise<WindowsService> {
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
