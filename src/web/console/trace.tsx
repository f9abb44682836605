import { useEffect, useRef, useState } from "preact/hooks";
import { type Traced, technicianOf } from "../../client/technician.ts";
import { useBridgeTime, useSession } from "./console-session.ts";
import { download } from "./download.ts";
import { Countdown, Head, Scrolling, TroubleNotice } from "./parts.tsx";
import { hrefOf } from "./route.ts";
import { epochOf, preciseText } from "./times.ts";
import { arrowText, matchesTrace, readUntil, type Trace, tagText, traceOf, traceText } from "./trace-lines.ts";
import { useAction } from "./use-load.ts";

/** The line of a terminal, in words. */
export function TraceView({ id }: { readonly id: string }) {
  const { traces } = useSession();
  const trace = traceOf(traces, id);
  const [search, setSearch] = useState("");
  const shown = trace.lines.filter((line) => matchesTrace(line, search));
  return (
    <>
      <Head title={`Line of terminal ${id}`} back={[`Terminal ${id}`, hrefOf({ at: "terminal", id })]} />
      <Switch id={id} trace={trace} />
      <section class="card stack">
        <div class="row spread">
          <label>
            Search
            <input type="search" value={search} onInput={({ currentTarget }) => setSearch(currentTarget.value)} />
          </label>
          <TraceTools id={id} trace={trace} />
        </div>
        {trace.lines.length === 0 ? (
          <p class="soft">
            {trace.until === undefined
              ? "Nothing was read yet."
              : "Nothing goes over the line now. Start a payment, or test the terminal."}
          </p>
        ) : (
          <p class="soft small" role="status">
            {shown.length === trace.lines.length
              ? `${trace.lines.length} frames`
              : `${shown.length} of ${trace.lines.length} frames`}
            {trace.dropped > 0 && `; ${trace.dropped} older ones were left out`}
          </p>
        )}
        <Frames lines={shown} />
      </section>
    </>
  );
}

function Switch({ id, trace }: { readonly id: string; readonly trace: Trace }) {
  const { client, trace: tell } = useSession();
  const until = readUntil(trace, useBridgeTime());
  const action = useAction<void>();
  const begin = (): void => {
    if (client === undefined) return;
    action.run(async () => tell({ is: "begun", terminal: id, until: epochOf(await technicianOf(client).trace(id)) }));
  };
  const end = (): void => {
    if (client === undefined) return;
    action.run(async () => {
      await technicianOf(client).untrace(id);
      tell({ is: "ended", terminal: id });
    });
  };
  return (
    <section class="card stack">
      <div class="row spread">
        <div>
          {until === undefined ? (
            <strong>The line is not read.</strong>
          ) : (
            <strong>
              The line is read; this ends by itself <Countdown until={new Date(until).toISOString()} over="now" />.
            </strong>
          )}
          <p class="soft small">
            Frames and tags by name. Values only of tags that tell nothing of the card; keys that are pressed never.
          </p>
        </div>
        {until === undefined ? (
          <button type="button" data-kind="main" disabled={client === undefined || action.isBusy} onClick={begin}>
            Read the line
          </button>
        ) : (
          <button type="button" disabled={client === undefined || action.isBusy} onClick={end}>
            Stop
          </button>
        )}
      </div>
      <TroubleNotice trouble={action.trouble} />
    </section>
  );
}

function TraceTools({ id, trace }: { readonly id: string; readonly trace: Trace }) {
  const { trace: tell } = useSession();
  const isEmpty = trace.lines.length === 0;
  const name = `trace-${id.replace(/[^A-Za-z0-9._-]/g, "_")}.txt`;
  return (
    <div class="row">
      <button type="button" disabled={isEmpty} onClick={() => tell({ is: "cleared", terminal: id })}>
        Clear
      </button>
      <button
        type="button"
        disabled={isEmpty}
        onClick={() => download(name, traceText(id, trace), "text/plain;charset=utf-8")}
      >
        Download as text
      </button>
    </div>
  );
}

/** Newest frames shown; the download has all. */
const SHOWN = 400;

function Frames({ lines }: { readonly lines: readonly Traced[] }) {
  const list = useRef<HTMLElement>(null);
  const isAtEnd = useRef(true);
  const shown = lines.slice(-SHOWN);
  useEffect(() => {
    const place = list.current;
    if (place !== null && isAtEnd.current) place.scrollTop = place.scrollHeight;
  });
  const scrolled = (): void => {
    const place = list.current;
    if (place !== null) isAtEnd.current = place.scrollHeight - place.scrollTop - place.clientHeight < 40;
  };
  if (shown.length === 0) return null;
  return (
    <Scrolling class="frames" name="Frames" place={list} onScroll={scrolled}>
      <ol>
        {shown.map(({ at, direction, text, tags = [] }, place) => (
          <li key={lines.length - shown.length + place} class="frame" data-direction={direction}>
            <span class="mono small soft">{preciseText(at)}</span>
            <span class="arrow small">{arrowText(direction)}</span>
            <div>
              <span class="break">{text}</span>
              <Tags tags={tags} />
            </div>
          </li>
        ))}
      </ol>
    </Scrolling>
  );
}

/** Visible values first, one on a line; hidden ones below in one paragraph. */
function Tags({ tags }: { readonly tags: NonNullable<Traced["tags"]> }) {
  const told = tags.filter(({ value }) => value !== undefined);
  const hidden = tags.filter(({ value }) => value === undefined);
  return (
    <>
      {told.length > 0 && (
        <ul class="tags mono small">
          {told.map((tag, place) => (
            <li key={place} class="frame-tag">
              {tagText(tag)}
            </li>
          ))}
        </ul>
      )}
      {hidden.length > 0 && (
        <p class="soft small break">
          Not shown: {hidden.map(({ tag, name, length }) => `${tag} ${name} (${length} bytes)`).join(", ")}
        </p>
      )}
    </>
  );
}
