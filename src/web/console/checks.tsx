import { useSession } from "./console-session.ts";
import type { Check } from "./known-terminal.ts";
import { Ago, Badge, Head, TroubleNotice, Waiting } from "./parts.tsx";
import { checkedWords, checkTitle, inOrder } from "./shop-state.ts";
import type { Loaded } from "./use-load.ts";

/** Checks of gateway, clock, disk, journal and terminals, with fixes. */
export function ChecksView() {
  const { client, checks } = useSession();
  const { value, readAt, trouble, isBusy, reload } = checks;
  return (
    <>
      <Head title="Checks">
        <span class="soft small" role="status">
          {isBusy ? "Checking…" : <CheckedAgo value={value} readAt={readAt} />}
        </span>
        <button type="button" data-kind="main" disabled={isBusy || client === undefined} onClick={reload}>
          Run again
        </button>
      </Head>
      <Waiting loaded={checks} what="Checking gateway, clock, disk and journal. This takes a few seconds…" />
      {value !== undefined && <TroubleNotice trouble={trouble} />}
      {value !== undefined && (
        <ul class="card checks">
          {inOrder(value).map((check) => (
            <CheckRow key={check.name} check={check} />
          ))}
        </ul>
      )}
    </>
  );
}

function CheckedAgo({ value, readAt }: Pick<Loaded<readonly Check[]>, "value" | "readAt">) {
  if (value === undefined) return null;
  return (
    <>
      {checkedWords(value)} <Ago at={readAt} />
    </>
  );
}

const STATES = {
  ok: { word: "ok", tone: "good" },
  warn: { word: "warn", tone: "unknown" },
  fail: { word: "fail", tone: "bad" },
} as const;

function CheckRow({ check: { name, state, text, fix } }: { readonly check: Check }) {
  const { word, tone } = STATES[state];
  return (
    <li class="check-row">
      <Badge tone={tone}>{word}</Badge>
      <div>
        <h2>{checkTitle(name)}</h2>
        <p class="break">{text}</p>
        {fix !== undefined && (
          <p class="fix break">
            <strong>What to do:</strong> {fix}
          </p>
        )}
      </div>
    </li>
  );
}
