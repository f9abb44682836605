import type { z } from "zod";
import type { ControlHandlers, ControlReply, pairRequest, replaceRequest, TerminalEntry } from "./methods.ts";

/** The result, or the reason of the refusal. */
type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: { readonly message: string } }
  | { readonly ok: false; readonly invalid: { readonly path: string; readonly message: string } };

interface ProvenDevice {
  readonly serialNumber: string;
  readonly warnings: readonly string[];
}

interface Notes {
  readonly label?: string;
  readonly paired: boolean;
  readonly replaced?: true;
}

/** A terminal as the engine describes it. */
type TerminalSight = Omit<TerminalEntry, "label" | "paired" | "replaced">;

/** The terminals as the control methods use them. */
export interface TerminalDesk {
  readonly pairing: {
    notes(terminal: string): Notes;
    pair(by: string, request: z.output<typeof pairRequest>): Promise<Checked<ProvenDevice>>;
    rename(by: string, terminal: string, label: string): Promise<Checked<Notes>>;
    replace(by: string, terminal: string, request: z.output<typeof replaceRequest>): Promise<Checked<ProvenDevice>>;
    unpair(by: string, terminal: string): Promise<Checked<Readonly<Record<string, never>>>>;
  };
  readonly terminals: () => readonly TerminalSight[];
  readonly test: (terminal: string) => Promise<Checked<TerminalSight>>;
}

export type TerminalHandlers = Pick<
  ControlHandlers,
  "terminals.list" | "terminals.test" | "terminals.pair" | "terminals.rename" | "terminals.replace" | "terminals.unpair"
>;

/** Handlers for terminals, the same in the daemon and in a command without a daemon. */
export function terminalHandlers({ pairing, terminals, test }: TerminalDesk): TerminalHandlers {
  const entryOf = ({
    id,
    model,
    state,
    reason,
    serialNumber,
    firmware,
    connection,
    payment,
  }: TerminalSight): TerminalEntry => ({
    ...{ id, model, state, connection, ...pairing.notes(id) },
    ...(reason !== undefined && { reason }),
    ...(serialNumber !== undefined && { serialNumber }),
    ...(firmware !== undefined && { firmware }),
    ...(payment !== undefined && { payment }),
  });
  return {
    "terminals.list": async () => ({ ok: true, value: { terminals: terminals().map(entryOf) } }),
    "terminals.test": async ({ terminal }) => {
      const tested = await test(terminal);
      return tested.ok ? { ok: true, value: { terminal: entryOf(tested.value) } } : replyOf(tested);
    },
    "terminals.pair": async ({ by, request }) => replyOf(await pairing.pair(by, request)),
    "terminals.rename": async ({ by, terminal, label }) => replyOf(await pairing.rename(by, terminal, label)),
    "terminals.replace": async ({ by, terminal, request }) => replyOf(await pairing.replace(by, terminal, request)),
    "terminals.unpair": async ({ by, terminal }) => replyOf(await pairing.unpair(by, terminal)),
  };
}

function replyOf<T>(checked: Checked<T>): ControlReply<T> {
  if (checked.ok) return checked;
  if ("refusal" in checked) return { ok: false, message: checked.refusal.message };
  const { path, message } = checked.invalid;
  return { ok: false, message: path === "" ? message : `${path} ${message}` };
}
