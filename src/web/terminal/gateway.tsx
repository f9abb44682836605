import { useField } from "../bridge/use-store.ts";
import { Notice } from "../design/notice.tsx";
import { timeFormat } from "../design/time-format.ts";
import { DECLINES, FAULT_WORDS, type GatewayFault, gatewayFaults } from "./gateway-faults.ts";
import type { LedgerLine } from "./ledger-words.ts";
import { ScrollList } from "./scroll-list.tsx";
import { type GatewayHere, useGateway } from "./use-gateway.ts";

/** The sandbox gateway: fault switches and ledger. */
export function Gateway({ sandbox }: { readonly sandbox: string }) {
  const gateway = useGateway(sandbox);
  return (
    <div class="gateway">
      <Faults gateway={gateway} />
      <Ledger gateway={gateway} />
    </div>
  );
}

function Faults({ gateway: { on, turn, problem } }: { readonly gateway: GatewayHere }) {
  const [code, { now, tell: setCode }] = useField(DECLINES[0].code);
  return (
    <section class="card stack" aria-labelledby="faults-title">
      <h2 id="faults-title">Make the gateway fail</h2>
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      <ul class="faults">
        {gatewayFaults.map((fault) => (
          <li key={fault}>
            <FaultSwitch fault={fault} isOn={on.has(fault)} onTurn={(isOn) => turn(fault, isOn, now())} />
            {fault === "declined" && (
              <label class="decline-code">
                <span class="for-readers">Reason of the decline</span>
                <select value={code} onChange={(event) => setCode(event.currentTarget.value)}>
                  {DECLINES.map((each) => (
                    <option key={each.code} value={each.code}>
                      {each.words}
                    </option>
                  ))}
                </select>
              </label>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function FaultSwitch({
  fault,
  isOn,
  onTurn,
}: {
  readonly fault: GatewayFault;
  readonly isOn: boolean;
  readonly onTurn: (on: boolean) => void;
}) {
  const { title, text } = FAULT_WORDS[fault];
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        onChange={(event) => onTurn(event.currentTarget.checked)}
      />
      <span>
        <strong>{title}</strong>
        <span class="soft small">{text}</span>
      </span>
    </label>
  );
}

function Ledger({ gateway: { lines } }: { readonly gateway: GatewayHere }) {
  return (
    <section class="card stack" aria-labelledby="ledger-title">
      <h2 id="ledger-title">What the gateway has booked</h2>
      {lines === undefined || lines.length === 0 ? (
        <p class="soft">Nothing yet. Whatever the bridge asks of the gateway shows here, newest first.</p>
      ) : (
        <ScrollList name="Bookings and requests, newest first" className="ledger">
          {lines.map((line) => (
            <LedgerRow key={line.key} line={line} />
          ))}
        </ScrollList>
      )}
    </section>
  );
}

const clock = timeFormat({ hour: "2-digit", minute: "2-digit", second: "2-digit" });

function LedgerRow({ line: { is, at, tone, title, text, marks, detail } }: { readonly line: LedgerLine }) {
  return (
    <li class="ledger-row" data-is={is}>
      <span class="dot" data-tone={tone} aria-hidden="true" />
      <span class="ledger-words">
        <strong>{title}</strong> <span>{text}</span>{" "}
        {marks.map((mark) => (
          <span key={mark} class="badge" data-tone="unknown">
            {mark}
          </span>
        ))}
        <span class="soft small mono ledger-detail">{detail}</span>
      </span>
      <time class="soft small number" dateTime={at}>
        {clock.format(new Date(at))}
      </time>
    </li>
  );
}
