import { useState } from "preact/hooks";
import { systemClock } from "../../kit/system-clock.ts";
import { useField } from "../bridge/use-store.ts";
import { Dialog } from "../design/dialog.tsx";
import { Notice } from "../design/notice.tsx";
import { type Terminal, useSession } from "./console-session.ts";
import { Badge, Dot, Facts, Field, Head, TroubleNotice, Waiting } from "./parts.tsx";
import { hrefOf } from "./route.ts";
import {
  answerQuality,
  capabilityText,
  paymentWords,
  stateSentence,
  terminalTone,
  terminalWords,
} from "./terminal-words.ts";
import { durationText } from "./times.ts";
import { useAction } from "./use-load.ts";

const BACK = ["Terminals", hrefOf({ at: "terminals" })] as const;

/** One terminal: identity, state and actions. */
export function TerminalDetail({ id }: { readonly id: string }) {
  const { terminals } = useSession();
  const terminal = terminals.value?.find((one) => one.id === id);
  return (
    <>
      <Head title={terminal?.label ?? `Terminal ${id}`} back={BACK}>
        {terminal !== undefined && (
          <Badge tone={terminalTone(terminal.state)}>
            <Dot tone={terminalTone(terminal.state)} /> {terminalWords(terminal.state)}
          </Badge>
        )}
      </Head>
      <Waiting loaded={terminals} what="Reading the terminal…" />
      {terminals.value !== undefined && terminal === undefined && <Notice>There is no terminal {id} any more.</Notice>}
      {terminal !== undefined && <Known terminal={terminal} />}
    </>
  );
}

function Known({ terminal }: { readonly terminal: Terminal }) {
  const { id, model, reason, serialNumber, firmware, connection, capabilities, paired } = terminal;
  return (
    <>
      {reason !== undefined && <Notice tone="bad">{reason}</Notice>}
      <section class="card stack" aria-label="Identity">
        <Facts
          facts={[
            ["Id", id],
            ["Model", model],
            ["Serial number", serialNumber ?? "not read yet"],
            ["Firmware", firmware ?? "not read yet"],
            ["Link", connection],
            ["Payment", paymentWords(terminal)],
            ["It can do", capabilityText(capabilities)],
            ["Set up in", paired ? "this console (data folder)" : "the configuration file"],
          ]}
        />
      </section>
      <TestTerminal id={id} />
      <section class="card stack">
        <h2>Work on it</h2>
        <div class="row">
          <a class="button" href={hrefOf({ at: "trace", id })}>
            Read its line
          </a>
          <Rename terminal={terminal} />
          <a class="button" href={hrefOf({ at: "replace", id })}>
            Replace it
          </a>
          <Unpair terminal={terminal} />
        </div>
      </section>
    </>
  );
}

/** Asks the device for its identity, without payment or card. */
function TestTerminal({ id }: { readonly id: string }) {
  const { client, terminals } = useSession();
  const test = useAction<{ readonly terminal: Terminal; readonly tookMs: number }>();
  const begin = (): void => {
    if (client === undefined) return;
    test.run(async () => {
      const begun = systemClock.monotonic();
      const terminal = await client.testTerminal(id);
      terminals.reload();
      return { terminal, tookMs: systemClock.monotonic() - begun };
    });
  };
  return (
    <section class="card stack">
      <div class="row spread">
        <div>
          <h2>Test</h2>
          <p class="soft small">Asks the device who it is. No payment is started, and no card is asked for.</p>
        </div>
        <button type="button" data-kind="main" disabled={client === undefined || test.isBusy} onClick={begin}>
          {test.isBusy ? "Testing…" : "Test the terminal"}
        </button>
      </div>
      <TroubleNotice trouble={test.trouble} />
      {test.done !== undefined && <TestResult {...test.done} />}
    </section>
  );
}

function TestResult({
  terminal: { state, reason, serialNumber, firmware },
  tookMs,
}: {
  readonly terminal: Terminal;
  readonly tookMs: number;
}) {
  if (state === "offline" || state === "out-of-service") {
    return <Notice tone="bad">{stateSentence("The terminal", state, reason)}</Notice>;
  }
  return (
    <Notice tone="good">
      It answered in {durationText(tookMs)} ({answerQuality(tookMs)}): serial number {serialNumber ?? "not told"},
      firmware {firmware ?? "not told"}, {terminalWords(state)}.
    </Notice>
  );
}

function Rename({ terminal: { id, label } }: { readonly terminal: Terminal }) {
  const { client, terminals } = useSession();
  const [isAsked, setAsked] = useState(false);
  const [name, { now, tell: setName }] = useField(label ?? "");
  const rename = useAction<void>();
  const submit = (event: Event): void => {
    event.preventDefault();
    const typed = now().trim();
    if (client === undefined || typed === "") return;
    rename.run(async () => {
      await client.renameTerminal(id, typed);
      terminals.reload();
      setAsked(false);
    });
  };
  return (
    <>
      <button type="button" onClick={() => setAsked(true)}>
        Rename it
      </button>
      {isAsked && (
        <Dialog title={`Rename terminal ${id}`} onClose={() => setAsked(false)}>
          <form class="stack" onSubmit={submit}>
            <p>The id {id} stays: payments and registers name the terminal by it.</p>
            <Field label="Name for people" value={name} onText={setName} hint="Such as: front desk, left" />
            <TroubleNotice trouble={rename.trouble} />
            <button
              type="submit"
              data-kind="main"
              disabled={client === undefined || rename.isBusy || name.trim() === ""}
            >
              Rename
            </button>
          </form>
        </Dialog>
      )}
    </>
  );
}

function Unpair({ terminal: { id, paired } }: { readonly terminal: Terminal }) {
  const { client, terminals } = useSession();
  const [isAsked, setAsked] = useState(false);
  const unpair = useAction<void>();
  const begin = (): void => {
    if (client === undefined) return;
    unpair.run(async () => {
      await client.unpairTerminal(id);
      terminals.reload();
      window.location.hash = hrefOf({ at: "terminals" });
    });
  };
  return (
    <>
      <button type="button" data-kind="danger" onClick={() => setAsked(true)}>
        Unpair it
      </button>
      {isAsked && (
        <Dialog title={`Unpair terminal ${id}?`} onClose={() => setAsked(false)}>
          <p>
            {!paired
              ? "It stands in the configuration file: remove it there, and restart the bridge. The bridge names the file when you go on."
              : "The bridge forgets the terminal. Payments that it made stay in the journal; a terminal that you pair later may have the same id."}
          </p>
          <TroubleNotice trouble={unpair.trouble} />
          <div class="row">
            <button type="button" data-kind="danger" disabled={client === undefined || unpair.isBusy} onClick={begin}>
              {unpair.isBusy ? "Unpairing…" : `Unpair ${id}`}
            </button>
            <button type="button" onClick={() => setAsked(false)}>
              Keep it
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
