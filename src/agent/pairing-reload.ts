import type { Configuration, TerminalSettings } from "../config/configuration.ts";
import { equip, type TerminalFinding } from "../config/equip.ts";
import { pathText } from "../config/problem.ts";
import { type Desk, serve } from "./pairing-desk.ts";

/** The result of changed terminals in the configuration file. */
export type TerminalsReloaded =
  | {
      readonly ok: true;
      /** The effective file: with the earlier terminals if a payment needs one of those that change. */
      readonly file: Configuration;
      /** Why its terminals do not take effect yet, one line each. */
      readonly waiting: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

interface Wanted {
  readonly file: Configuration;
  /** Changes nothing; only reports the effects. */
  readonly dryRun: boolean;
}

/**
 * Applies the terminals of a newly read file, all or none, because two may swap places. The data folder's terminals
 * stay.
 */
export async function reloadTerminals(desk: Desk, { file, dryRun }: Wanted): Promise<TerminalsReloaded> {
  const next = equip(file, desk.store.book(), desk.around);
  if (!next.ok) return { ok: false, problems: next.findings.map(problemOf) };
  const lines = changesOfLines(desk.equipped.terminals, next.configuration.terminals);
  const waiting = [...lines.gone, ...lines.changed].flatMap(({ id }) => {
    const holder = desk.heldBy(id);
    return holder === undefined
      ? []
      : [
          `terminal ${id} is needed by the payment with reference "${holder.reference}": reload again when that is over`,
        ];
  });
  if (waiting.length > 0)
    return keepTerminals(desk, { file: { ...file, terminals: desk.file.terminals }, dryRun }, waiting);
  if (dryRun) return { ok: true, file, waiting };
  const closed = [
    ...lines.gone.map(({ id }) => desk.terminals.remove(id)),
    ...lines.changed.map(({ id }) => desk.terminals.suspend(id, "its settings have changed, and it is opened anew")),
  ];
  for (const { id } of lines.gone) desk.opened.delete(id);
  desk.file = file;
  desk.equipped = next.configuration;
  desk.changed(next.configuration);
  await Promise.all(closed);
  for (const terminal of [...lines.changed, ...lines.come]) {
    const opened = desk.open(terminal, false);
    serve(desk, terminal.id, { opened, heard: [] });
    opened.session.start();
  }
  return { ok: true, file, waiting };
}

function keepTerminals(desk: Desk, { file, dryRun }: Wanted, waiting: readonly string[]): TerminalsReloaded {
  const kept = equip(file, desk.store.book(), desk.around);
  if (!kept.ok) return { ok: false, problems: kept.findings.map(problemOf) };
  if (!dryRun) {
    desk.file = file;
    desk.equipped = kept.configuration;
    desk.changed(kept.configuration);
  }
  return { ok: true, file, waiting };
}

interface LineChanges {
  readonly gone: readonly TerminalSettings[];
  readonly come: readonly TerminalSettings[];
  /** In their new form. */
  readonly changed: readonly TerminalSettings[];
}

/** A session depends only on these settings; all others apply to the next payment. */
function changesOfLines(before: readonly TerminalSettings[], after: readonly TerminalSettings[]): LineChanges {
  const lineOf = ({ model, connection, options }: TerminalSettings): string =>
    JSON.stringify([model, connection, options]);
  const was = new Map(before.map((terminal) => [terminal.id, terminal]));
  const is = new Set(after.map(({ id }) => id));
  return {
    gone: before.filter(({ id }) => !is.has(id)),
    come: after.filter(({ id }) => !was.has(id)),
    changed: after.filter((terminal) => {
      const old = was.get(terminal.id);
      return old !== undefined && lineOf(old) !== lineOf(terminal);
    }),
  };
}

function problemOf({ terminal, path, message }: TerminalFinding): string {
  return `terminal ${terminal}: ${pathText(path)} ${message}`;
}
