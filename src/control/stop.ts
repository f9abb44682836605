import type { ControlHandlers } from "./methods.ts";

interface StopLog {
  info(fields: object, message: string): void;
}

/** `stop`: asks for the orderly end and returns at once, so that the answer still leaves. */
export function stopHandlers(stop: () => void, pid: number, log: StopLog): Pick<ControlHandlers, "bridge.stop"> {
  return {
    "bridge.stop": async ({ by }) => {
      log.info({ audit: true, by }, "the bridge was asked to stop");
      stop();
      return { ok: true, value: { pid } };
    },
  };
}
