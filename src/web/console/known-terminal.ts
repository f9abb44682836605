export interface KnownTerminal {
  readonly id: string;
  readonly label?: string | undefined;
  readonly state: "ready" | "busy" | "offline" | "out-of-service";
  readonly model?: string | undefined;
  readonly reason?: string | undefined;
}
export interface Check {
  readonly name: string;
  readonly state: "ok" | "warn" | "fail";
  readonly text: string;
  readonly fix?: string | undefined;
}
