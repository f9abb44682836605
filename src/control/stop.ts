import type { ControlHandlers } from "./methods.ts";

/** A service manager that restarts an ended service. */
export type StartedBy = "systemd" | "windows";

interface StopLog {
  info(fields: object, message: string): void;
}

/**
 * `stop` begins the orderly end and returns at once, so that the answer is still sent. `managed`: that service manager
 * must stop the bridge itself.
 */
export function stopHandlers(
  stop: () => void,
  pid: number,
  log: StopLog,
  managed?: StartedBy,
): Pick<ControlHandlers, "bridge.stop"> {
  return {
    "bridge.stop": async ({ by }) => {
      if (managed !== undefined) return { ok: false, message: stopRefusal(managed) };
      log.info({ audit: true, by }, "the bridge was asked to stop");
      stop();
      return { ok: true, value: { pid } };
    },
  };
}

function stopRefusal(managed: StartedBy): string {
  switch (managed) {
    case "systemd":
      return "this bridge is a service of systemd, which would start it again; stop the service: sudo systemctl stop posbridge";
    case "windows":
      return "this bridge is a service of Windows; stop the service, as an administrator: sc.exe stop posbridge";
  }
}

/** systemd sets these variables; the first two also reach the process's children. */
export function startedBySystemd(env: Readonly<Record<string, string | undefined>>, pid: number): boolean {
  const { NOTIFY_SOCKET: notified, INVOCATION_ID: invoked, SYSTEMD_EXEC_PID: started } = env;
  return notified !== undefined || (invoked !== undefined && started === String(pid));
}
