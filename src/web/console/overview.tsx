import type { ComponentChildren } from "preact";
import { type ConsoleSession, useBridgeTime, useSession } from "./console-session.ts";
import { VerdictIcon } from "./icons.tsx";
import { Ago, Badge, Dot, Waiting } from "./parts.tsx";
import { PaymentRow } from "./payment-row.tsx";
import { hrefOf } from "./route.ts";
import { checkedWords, checkTitle, goodWords, inOrder, isStuck, type Known, verdictOf } from "./shop-state.ts";
import { terminalTone, terminalWords } from "./terminal-words.ts";
import { useLoad } from "./use-load.ts";
import { WaitingRegister } from "./waiting-register.tsx";

const LAST_PAYMENTS = 6;

/** The state of the shop in one view. */
export function OverviewView() {
  const session = useSession();
  const { terminals, open, checks } = session;
  const now = useBridgeTime();
  const known: Known = {
    terminals: terminals.value,
    open: open.value?.map((payment) => ({ id: payment.id, isStuck: isStuck(payment, now) })),
    checks: checks.value,
  };
  const { tone, headline, points } = verdictOf(known);
  return (
    <>
      <section class="verdict" data-tone={tone} aria-live="polite">
        <VerdictIcon tone={tone} />
        <div class="stack">
          <h1>{headline}</h1>
          {tone === "good" && <p>{goodWords(known)}</p>}
          {points.length > 0 && (
            <ul>
              {points.map(({ text, href, tone: own }) => (
                <li key={text}>
                  <Dot tone={own} /> <a href={href}>{text}</a>
                </li>
              ))}
            </ul>
          )}
        </div>
      </section>
      <WaitingRegister />
      <div class="panels">
        <div class="panel-column">
          <TerminalsPanel terminals={terminals} />
          <ChecksPanel checks={checks} />
        </div>
        <PaymentsPanel session={session} />
      </div>
    </>
  );
}

function Panel({
  title,
  href,
  children,
}: {
  readonly title: string;
  readonly href: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="card panel">
      <h2>
        <a href={href}>{title}</a>
      </h2>
      {children}
    </section>
  );
}

function TerminalsPanel({ terminals }: Pick<ConsoleSession, "terminals">) {
  return (
    <Panel title="Terminals" href={hrefOf({ at: "terminals" })}>
      <Waiting loaded={terminals} what="Reading the terminals…" />
      <ul class="lines">
        {terminals.value?.map((terminal) => (
          <li key={terminal.id}>
            <Dot tone={terminalTone(terminal.state)} />
            <a href={hrefOf({ at: "terminal", id: terminal.id })}>{terminal.label ?? terminal.id}</a>
            <span class="soft end">{terminalWords(terminal.state)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function ChecksPanel({ checks }: Pick<ConsoleSession, "checks">) {
  return (
    <Panel title="Checks" href={hrefOf({ at: "checks" })}>
      <Waiting loaded={checks} what="Checking gateway, clock, disk and journal…" />
      {checks.value !== undefined && (
        <>
          <ul class="chips">
            {inOrder(checks.value).map(({ name, state }) => (
              <li key={name}>
                <Badge tone={state === "ok" ? "good" : state === "warn" ? "unknown" : "bad"}>
                  {checkTitle(name)}: {state}
                </Badge>
              </li>
            ))}
          </ul>
          <p class="soft small">
            {checkedWords(checks.value)} <Ago at={checks.readAt} />.
          </p>
        </>
      )}
    </Panel>
  );
}

function PaymentsPanel({ session: { client, open } }: { readonly session: ConsoleSession }) {
  const changed = open.readAt === undefined ? "" : String(open.readAt);
  const last = useLoad({ client, read: (to) => to.list({ limit: LAST_PAYMENTS }), on: changed });
  const count = open.value?.length;
  return (
    <Panel title="Payments" href={hrefOf({ at: "payments" })}>
      {count !== undefined && (
        <p>
          {count === 0 ? (
            "No payment is open."
          ) : (
            <a href={hrefOf({ at: "open" })}>
              <strong>{count === 1 ? "1 payment is open" : `${count} payments are open`}</strong>
            </a>
          )}
        </p>
      )}
      <Waiting loaded={last} what="Reading the payments…" />
      {last.value?.payments.length === 0 && <p class="soft">Nothing was paid yet.</p>}
      <ul class="lines">
        {last.value?.payments.map((payment) => (
          <PaymentRow key={payment.id} payment={payment} />
        ))}
      </ul>
    </Panel>
  );
}
