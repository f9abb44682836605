import { type Terminal, useSession } from "./console-session.ts";
import { Badge, Dot, Head, TroubleNotice, Waiting } from "./parts.tsx";
import { hrefOf } from "./route.ts";
import { paymentWords, terminalTone, terminalWords } from "./terminal-words.ts";

export function TerminalsView() {
  const { terminals } = useSession();
  return (
    <>
      <Head title="Terminals">
        <a class="button" data-kind="main" href={hrefOf({ at: "pair" })}>
          Pair a terminal
        </a>
      </Head>
      <Waiting loaded={terminals} what="Reading the terminals…" />
      {terminals.value !== undefined && <TroubleNotice trouble={terminals.trouble} />}
      {terminals.value?.length === 0 && (
        <p class="card">
          No terminal is set up. <a href={hrefOf({ at: "pair" })}>Pair one</a>, or write it into the configuration file.
        </p>
      )}
      <ul class="tiles">
        {terminals.value?.map((terminal) => (
          <TerminalTile key={terminal.id} terminal={terminal} />
        ))}
      </ul>
    </>
  );
}

function TerminalTile({ terminal }: { readonly terminal: Terminal }) {
  const { id, label, model, state, reason, serialNumber, firmware, connection } = terminal;
  return (
    <li class="card tile">
      <div class="row">
        <h2>
          <a href={hrefOf({ at: "terminal", id })}>{label ?? id}</a>
        </h2>
        <Badge tone={terminalTone(state)}>
          <Dot tone={terminalTone(state)} /> {terminalWords(state)}
        </Badge>
      </div>
      {label !== undefined && <p class="soft small">{id}</p>}
      {reason !== undefined && <p class="why">{reason}</p>}
      <dl class="facts">
        <Fact name="Model" value={model} />
        <Fact name="Serial number" value={serialNumber ?? "not read yet"} />
        <Fact name="Firmware" value={firmware ?? "not read yet"} />
        <Fact name="Link" value={connection} />
        <Fact name="Payment" value={paymentWords(terminal)} />
      </dl>
    </li>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
