import { useState } from "preact/hooks";
import { type PendingRegister, technicianOf } from "../../client/technician.ts";
import { Notice } from "../design/notice.tsx";
import { useSession } from "./console-session.ts";
import { Countdown, Facts, TroubleNotice } from "./parts.tsx";
import { useAction, useLoad } from "./use-load.ts";

/** The register's code is on its screen while a person stands there: the card has to come soon. */
const EVERY_MS = 3_000;

/** A session grants the usual ones, and those that it has itself. The command alone grants `technician`. */
const SCOPES = [
  ["payments", "its own payments"],
  ["refunds", "refunds of payments"],
  ["unlinked-refunds", "refunds without a payment"],
  ["stored-cards", "charging and deleting stored cards"],
  ["foreign-bookings", "bookings that this bridge did not make"],
  ["payments:all", "payments of every register"],
] as const;
const USUAL: readonly string[] = ["payments", "refunds"];
const CODE_CHARACTERS = 6;

/** A register that asks to be paired, and the technician's decision. Nothing while none asks. */
export function WaitingRegister() {
  const { client } = useSession();
  const pending = useLoad({ client, read: (to) => technicianOf(to).pendingRegisters(), everyMs: EVERY_MS });
  const decided = useAction<string>();
  const decide = (act: () => Promise<string>): void =>
    decided.run(async () => {
      try {
        return await act();
      } finally {
        pending.reload();
      }
    });
  const [waiting] = pending.value ?? [];
  return (
    <>
      {decided.done !== undefined && <Notice tone="good">{decided.done}</Notice>}
      <TroubleNotice trouble={decided.trouble} />
      {waiting !== undefined && (
        <WaitingCard key={waiting.code} waiting={waiting} isBusy={decided.isBusy} decide={decide} />
      )}
    </>
  );
}

interface CardProps {
  readonly waiting: PendingRegister;
  readonly isBusy: boolean;
  readonly decide: (act: () => Promise<string>) => void;
}

function WaitingCard({ waiting, isBusy, decide }: CardProps) {
  const { client } = useSession();
  const [scopes, setScopes] = useState(USUAL);
  // Typed, not shown: another register may take the place of the one that the technician looks at.
  const [typed, setTyped] = useState("");
  const { code, name, origin, from, expiresAt, known } = waiting;
  const isOff = isBusy || client === undefined;
  const approve = (): void => {
    if (client === undefined) return;
    decide(async () => {
      const paired = await technicianOf(client).approveRegister(typed, scopes);
      return `Register ${paired.register} is paired. It may do: ${paired.scopes.join(", ")}.`;
    });
  };
  const refuse = (): void => {
    if (client === undefined) return;
    decide(async () => `Register ${(await technicianOf(client).refuseRegister(code)).name} was refused.`);
  };
  const toggle = (scope: string): void =>
    setScopes(scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope]);
  return (
    <section class="card panel">
      <h2>A register asks to be paired</h2>
      <label class="stack">
        <span>The code that the register shows to someone who stands there now</span>
        <input
          class="pairing-code"
          value={typed}
          maxLength={CODE_CHARACTERS}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <Facts
        facts={[
          ["Register", name],
          ["Page", origin === "none" ? "none: a program of this machine" : origin],
          ["Comes from", from],
          ["Ends", <Countdown key="left" until={expiresAt} over="now" />],
        ]}
      />
      {known && (
        <Notice tone="unknown">
          There is a register {name} already. Approved, this one gets the payments of that register too.
        </Notice>
      )}
      <fieldset>
        <legend>It may do</legend>
        {SCOPES.filter(([scope]) => USUAL.includes(scope) || client?.scopes.includes(scope)).map(([scope, meaning]) => (
          <label key={scope} class="check">
            <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
            <span>
              <strong>{scope}</strong>: {meaning}
            </span>
          </label>
        ))}
      </fieldset>
      <div class="row">
        <button
          type="button"
          data-kind="main"
          disabled={isOff || scopes.length === 0 || typed.trim().length < CODE_CHARACTERS}
          onClick={approve}
        >
          Approve
        </button>
        <button type="button" disabled={isOff} onClick={refuse}>
          Refuse
        </button>
      </div>
    </section>
  );
}
