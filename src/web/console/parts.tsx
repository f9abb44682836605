import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Notice } from "../design/notice.tsx";
import type { Tone } from "../design/tone.ts";
import { useBridgeTime, useSession } from "./console-session.ts";
import { agoText, countdownText, epochOf, momentText } from "./times.ts";
import type { Trouble } from "./trouble.ts";
import type { Loaded } from "./use-load.ts";

/** The reason why something could not be read or done. */
export function TroubleNotice({ trouble }: { readonly trouble: Trouble | undefined }) {
  if (trouble === undefined) return null;
  return <Notice tone={trouble.kind === "cut" ? "unknown" : "bad"}>{trouble.text}</Notice>;
}

/** Shown while a view has no data. */
export function Waiting({ loaded, what }: { readonly loaded: Loaded<unknown>; readonly what: string }) {
  if (loaded.value !== undefined) return null;
  if (loaded.trouble !== undefined) return <TroubleNotice trouble={loaded.trouble} />;
  return (
    <p class="soft" role="status">
      {what}
    </p>
  );
}

export function Badge({ tone, children }: { readonly tone: Tone | undefined; readonly children: ComponentChildren }) {
  return (
    <span class="badge" data-tone={tone}>
      {children}
    </span>
  );
}

export function Dot({ tone }: { readonly tone: Tone | undefined }) {
  return <span class="dot" data-tone={tone} aria-hidden="true" />;
}

/** A time by the bridge's clock. */
export function Moment({ at }: { readonly at: string }) {
  const now = useBridgeTime();
  return (
    <time dateTime={at} class="number">
      {momentText(at, now)}
    </time>
  );
}

/** "3 min ago", for a time by this browser's clock. */
export function Ago({ at }: { readonly at: number | undefined }) {
  const { clockAheadMs } = useSession();
  const now = useBridgeTime() - clockAheadMs;
  return at === undefined ? null : <span class="number">{agoText(at, now)}</span>;
}

/** Counts down to a time by the bridge's clock. `word`: "in", capitalised at the start of a sentence. */
export function Countdown({
  until,
  over,
  word = "in",
}: {
  readonly until: string;
  readonly over: string;
  readonly word?: "in" | "In";
}) {
  const now = useBridgeTime();
  const left = countdownText(epochOf(until), now);
  return (
    <span class="number countdown" role="timer">
      {left === undefined ? over : `${word} ${left}`}
    </span>
  );
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly placeholder?: string;
}

/** A text field with its problem or hint below. */
export function Field({ label, hint, problem, value, onText, placeholder }: FieldProps) {
  const id = useId();
  const below = problem ?? hint;
  return (
    <div class="field">
      <label>
        {label}
        <input
          value={value}
          placeholder={placeholder}
          autocomplete="off"
          spellcheck={false}
          aria-invalid={problem !== undefined}
          aria-describedby={below === undefined ? undefined : id}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      </label>
      {below !== undefined && (
        <span id={id} class={problem === undefined ? "hint small" : "problem small"}>
          {below}
        </span>
      )}
    </div>
  );
}

/** Names and values, in two columns if the width allows. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== undefined && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Heading with a link back. */
export function Head({
  title,
  back,
  children,
}: {
  readonly title: string;
  readonly back?: readonly [name: string, href: string];
  readonly children?: ComponentChildren;
}) {
  return (
    <header class="head">
      <div>
        {back !== undefined && (
          <a class="back small" href={back[1]}>
            <span aria-hidden="true">← </span>
            {back[0]}
          </a>
        )}
        <h1>{title}</h1>
      </div>
      {children !== undefined && <div class="row">{children}</div>}
    </header>
  );
}

interface ScrollingProps {
  readonly class: string;
  readonly name: string;
  readonly place?: RefObject<HTMLElement | null>;
  readonly onScroll?: () => void;
  readonly children: ComponentChildren;
}

/** A scrollable part. It is focusable, because arrow keys scroll the focused element. */
export function Scrolling({ class: style, name, place, onScroll, children }: ScrollingProps) {
  const own = useRef<HTMLElement>(null);
  const section = place ?? own;
  useEffect(() => {
    if (section.current !== null) section.current.tabIndex = 0;
  }, [section]);
  return (
    <section class={style} aria-label={name} ref={section} onScroll={onScroll}>
      {children}
    </section>
  );
}
