import { useEffect, useRef, useState } from "preact/hooks";
import type { RegisterClient } from "../../client/client.ts";
import { technicianOf } from "../../client/technician.ts";
import { useSession } from "./console-session.ts";
import { fieldsText, LEVELS, type LogFilter, type LogLine, levelTone, matchesLog, withLines } from "./log-lines.ts";
import { Head, Moment, Scrolling, TroubleNotice, Waiting } from "./parts.tsx";
import { useLoad } from "./use-load.ts";

const EVERY_MS = 2_000;

/** The last lines of the bridge's log. */
export function LogView() {
  const { client } = useSession();
  const [isFollowed, setFollowed] = useState(true);
  const [filter, setFilter] = useState<LogFilter>({ from: "info", search: "" });
  const kept = useRef<{
    readonly lines: readonly LogLine[];
    readonly next: string | undefined;
    readonly from: RegisterClient | undefined;
  }>({
    lines: [],
    next: undefined,
    from: undefined,
  });
  const read = async (to: RegisterClient): Promise<readonly LogLine[]> => {
    // A new connection may lead to a restarted bridge, whose log starts again.
    const before = kept.current.from === to ? kept.current : { lines: [], next: undefined };
    const { lines, next } = await technicianOf(to).log(before.next === undefined ? {} : { after: before.next });
    kept.current = { lines: withLines(before.lines, lines), next, from: to };
    return kept.current.lines;
  };
  const log = useLoad({ client, read, ...(isFollowed && { everyMs: EVERY_MS }) });
  const shown = log.value?.filter((line) => matchesLog(line, filter)) ?? [];
  return (
    <>
      <Head title="Log">
        <button type="button" disabled={client === undefined || isFollowed} onClick={log.reload}>
          Read again
        </button>
      </Head>
      <LogFilters filter={filter} onFilter={setFilter} isFollowed={isFollowed} onFollow={setFollowed} />
      <Waiting loaded={log} what="Reading the log…" />
      {log.value !== undefined && <TroubleNotice trouble={log.trouble} />}
      {log.value !== undefined && (
        <p class="soft small">
          {shown.length} of {log.value.length} lines
        </p>
      )}
      {shown.length > 0 && <Lines lines={shown} isFollowed={isFollowed} />}
    </>
  );
}

interface LogFiltersProps {
  readonly filter: LogFilter;
  readonly onFilter: (filter: LogFilter) => void;
  readonly isFollowed: boolean;
  readonly onFollow: (isFollowed: boolean) => void;
}

function LogFilters({ filter, onFilter, isFollowed, onFollow }: LogFiltersProps) {
  const choose = (level: string): void => {
    const from = LEVELS.find((one) => one === level);
    if (from !== undefined) onFilter({ ...filter, from });
  };
  return (
    <search class="filters">
      <label class="wide">
        Search
        <input
          type="search"
          placeholder="Text, terminal, payment…"
          value={filter.search}
          onInput={({ currentTarget }) => onFilter({ ...filter, search: currentTarget.value })}
        />
      </label>
      <label>
        Level
        <select value={filter.from} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {LEVELS.map((level) => (
            <option key={level} value={level}>
              {level === "fatal" ? level : `${level} and above`}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input type="checkbox" checked={isFollowed} onChange={({ currentTarget }) => onFollow(currentTarget.checked)} />
        Follow
      </label>
    </search>
  );
}

/** Newest lines, the newest at the bottom. */
const SHOWN = 500;

function Lines({ lines, isFollowed }: { readonly lines: readonly LogLine[]; readonly isFollowed: boolean }) {
  const list = useRef<HTMLElement>(null);
  const last = lines.at(-1);
  useEffect(() => {
    const place = list.current;
    if (place !== null && isFollowed && last !== undefined) place.scrollTop = place.scrollHeight;
  }, [isFollowed, last]);
  return (
    <Scrolling class="card log" name="Lines of the log" place={list}>
      <ol>
        {lines.slice(-SHOWN).map(({ at, level, text, fields }, place) => (
          <li key={Math.max(0, lines.length - SHOWN) + place} class="log-line" data-tone={levelTone(level)}>
            <span class="soft">
              <Moment at={at} />
            </span>
            <span class="level">{level}</span>
            <span class="break">
              {text} <span class="soft">{fieldsText(fields)}</span>
            </span>
          </li>
        ))}
      </ol>
    </Scrolling>
  );
}
