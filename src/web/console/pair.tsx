import { useReducer } from "preact/hooks";
import { useStore } from "../bridge/use-store.ts";
import { Notice } from "../design/notice.tsx";
import { type Terminal, useSession } from "./console-session.ts";
import { DeviceForm } from "./device-form.tsx";
import {
  deviceParams,
  emptyForm,
  freeId,
  type PairForm,
  type Purpose,
  pairForm,
  pairParams,
  problemsOf,
} from "./pair-form.ts";
import { Head, TroubleNotice, Waiting } from "./parts.tsx";
import { hrefOf } from "./route.ts";
import { Devices } from "./scan.tsx";
import { type Loaded, useAction, useLoad } from "./use-load.ts";

export function PairView() {
  const { terminals } = useSession();
  return (
    <>
      <Head title="Pair a terminal" back={["Terminals", hrefOf({ at: "terminals" })]} />
      <Waiting loaded={terminals} what="Reading the terminals…" />
      {terminals.value !== undefined && (
        <Pairing purpose="pair" first={emptyForm(freeId(terminals.value.map(({ id }) => id)))} />
      )}
    </>
  );
}

/** Replaces the device of an existing terminal. */
export function ReplaceView({ id }: { readonly id: string }) {
  const { terminals } = useSession();
  const terminal = terminals.value?.find((one) => one.id === id);
  return (
    <>
      <Head title={`Replace terminal ${id}`} back={[`Terminal ${id}`, hrefOf({ at: "terminal", id })]} />
      <p>
        Put the new device in place of the broken one. The id {id} stays, so that registers and payments notice nothing.
        The new device's serial number is read and taken over.
      </p>
      <Waiting loaded={terminals} what="Reading the terminals…" />
      {terminals.value !== undefined && terminal === undefined && <Notice>There is no terminal {id}.</Notice>}
      {terminal !== undefined && <Pairing purpose="replace" first={{ ...emptyForm(id), model: terminal.model }} />}
    </>
  );
}

interface Proven {
  readonly terminal: Terminal;
  readonly warnings: readonly string[];
}

/** Choose the device, enter the acquirer's data, and let the bridge test it. */
function Pairing({ purpose, first }: { readonly purpose: Purpose; readonly first: PairForm }) {
  const { client, terminals } = useSession();
  const [form, { now, tell: change }] = useStore(pairForm, () => first);
  const [isTried, try_] = useReducer(() => true, false);
  const models = useLoad({ client, read: (to) => to.terminalModels() });
  const devices = useLoad({ client, read: (to) => to.scanTerminals() });
  const prove = useAction<Proven>();
  const problems = problemsOf(form, purpose);
  const submit = (event: Event): void => {
    event.preventDefault();
    try_(undefined);
    const typed = now();
    if (client === undefined || Object.keys(problemsOf(typed, purpose)).length > 0) return;
    prove.run(async () => {
      const proven = await (purpose === "pair"
        ? client.pairTerminal(pairParams(typed))
        : client.replaceTerminal({ terminal: typed.id, ...deviceParams(typed) }));
      terminals.reload();
      return proven;
    });
  };
  if (prove.done !== undefined) return <Done {...prove.done} purpose={purpose} />;
  return (
    <>
      <Devices devices={devices} chosen={form} onDevice={(device) => change({ is: "device", device })} />
      {models.value === undefined ? (
        <Waiting loaded={models} what="Reading the models…" />
      ) : (
        <form class="card stack" onSubmit={submit} noValidate>
          <h2>2. Fill in what the acquirer gave you</h2>
          <DeviceForm
            form={form}
            change={change}
            models={models.value}
            purpose={purpose}
            problems={isTried ? problems : {}}
            trouble={prove.trouble}
          />
          <Proof
            trouble={prove.trouble}
            isBusy={prove.isBusy}
            isOffline={client === undefined}
            purpose={purpose}
            isIncomplete={isTried && Object.keys(problems).length > 0}
          />
        </form>
      )}
    </>
  );
}

interface ProofProps extends Pick<Loaded<unknown>, "trouble" | "isBusy"> {
  readonly isOffline: boolean;
  readonly isIncomplete: boolean;
  readonly purpose: Purpose;
}

function Proof({ trouble, isBusy, isOffline, isIncomplete, purpose }: ProofProps) {
  return (
    <>
      <TroubleNotice trouble={trouble} />
      {isIncomplete && <Notice tone="bad">Something is missing: see the fields above.</Notice>}
      <div class="row">
        <button type="submit" data-kind="main" disabled={isBusy || isOffline}>
          {isBusy ? "Reading its serial number…" : purpose === "pair" ? "Prove and pair" : "Prove and replace"}
        </button>
        <span class="soft small">
          The bridge opens the line and reads the serial number. Nothing is kept where that fails.
        </span>
      </div>
    </>
  );
}

function Done({
  terminal: { id, label, serialNumber, firmware },
  warnings,
  purpose,
}: Proven & { readonly purpose: Purpose }) {
  return (
    <>
      <Notice tone="good">
        Terminal <strong>{label ?? id}</strong> is {purpose === "pair" ? "paired" : "replaced"}: serial number{" "}
        {serialNumber ?? "not told"}, firmware {firmware ?? "not told"}.
      </Notice>
      {warnings.map((warning) => (
        <Notice key={warning} tone="unknown">
          {warning}
        </Notice>
      ))}
      <div class="row">
        <a class="button" data-kind="main" href={hrefOf({ at: "terminal", id })}>
          To the terminal
        </a>
      </div>
    </>
  );
}
