import type { ControlHandlers } from "./methods.ts";

type Checks = readonly {
  readonly name: string;
  readonly state: "ok" | "warn" | "fail";
  readonly text: string;
  readonly fix?: string;
}[];

/** The technician's checks, for the command `doctor`. */
export function checksHandlers({ checks }: { checks(): Promise<Checks> }): Pick<ControlHandlers, "bridge.checks"> {
  return { "bridge.checks": async () => ({ ok: true, value: { checks: await checks() } }) };
}
