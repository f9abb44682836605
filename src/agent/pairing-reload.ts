import type { Configuration, TerminalSettings } from "../config/configuration.ts";
import { equip, type TerminalFinding } from "../config/equip.ts";
import { pathText } from "../config/problem.ts";
import { type Desk, serve } from "./pairing-desk.ts";

/** What came of terminals that the configuration file says otherwise. */
export type TerminalsReloaded =
  | {
      readonly ok: true;
      /** The file as it counts: with the terminals of before where one of those that change is needed by a payment. */
      readonly file: Configuration;
      /** Why its terminals do not count yet, one line each. */
      readonly waiting: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

interface Wanted {
  readonly file: Configuration;
  /** Nothing is done: what would come of it. */
  readonly dryRun: boolean;
}

/** Takes up the terminals of a file that was read anew, all of them or none: two that change places do so at once. Those of the data folder stay. */
export async function reloadTerminals(desk: Desk, { file, dryRun }: Wanted): Promise<TerminalsReloaded> {
  const next = equip(file, desk.store.book(), desk.around);
  if (!next.ok) return { ok: false, problems: next.findings.map(problemOf) };
  const lines = changesOfLines(desk.equipped.terminals, next.configuration.terminals);
  const waiting = [...lines.gone, ...lines.changed].flatMap(({ id }) => {
    const holder = desk.heldBy(id);
    return holder === undefined ? [] : [`terminal ${id} is needed by the payment with reference "${holder.reference}": reload again when that is over`];
  });
  if (waiting.length > 0) return keepTerminals(desk, { file: { ...file, terminals: desk.file.terminals }, dryRun }, waiting);
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
  /** As they are to be. */
  readonly changed: readonly TerminalSettings[];
}

/** What a session is opened with; all else is the next payment's. */
function changesOfLines(before: readonly TerminalSettings[], after: readonly TerminalSettings[]): LineChanges {
  const lineOf = ({ model, connection, options }: TerminalSettings): string => JSON.stringify([model, connection, options]);
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
