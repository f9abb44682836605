import { useState } from "preact/hooks";
import type { RegisterClient } from "../../client/client.ts";
import { technicianOf } from "../../client/technician.ts";
import { systemClock } from "../../kit/system-clock.ts";
import type { PaymentView } from "../../payment/view-schema.ts";
import { moneyText } from "../design/money-text.ts";
import { Notice } from "../design/notice.tsx";
import { usePaymentChanges, useSession } from "./console-session.ts";
import { Badge, Head, Moment, Scrolling, TroubleNotice, Waiting } from "./parts.tsx";
import { inOrder, listParams, matches, midnightOf, NO_FILTER, type PaymentFilter } from "./payment-filter.ts";
import { cardText, standingOf, typeText } from "./payment-words.ts";
import { hrefOf } from "./route.ts";
import { useAction, useLoad } from "./use-load.ts";

const PAGE = 100;

interface Page {
  readonly payments: readonly PaymentView[];
  readonly next: string | undefined;
}

/** Payments, open ones first. */
export function PaymentsView() {
  const { client } = useSession();
  const [filter, setFilter] = useState(NO_FILTER);
  const on = `${filter.period} ${filter.terminal}`;
  return (
    <>
      <Head title="Payments" />
      {client !== undefined && !client.scopes.includes("payments:all") && <OwnOnly client={client} />}
      <Filters filter={filter} onFilter={setFilter} />
      <List key={on} filter={filter} />
    </>
  );
}

function OwnOnly({ client: { register } }: { readonly client: RegisterClient }) {
  return (
    <Notice tone="unknown">
      This token has no scope <code>payments:all</code>: of payments that are over only those of register {register} are
      listed. Open ones are listed of every register.
    </Notice>
  );
}

function Filters({
  filter,
  onFilter,
}: {
  readonly filter: PaymentFilter;
  readonly onFilter: (filter: PaymentFilter) => void;
}) {
  const { terminals } = useSession();
  return (
    <search class="filters">
      <label class="wide">
        Search
        <input
          type="search"
          placeholder="Reference, amount, last four digits, gateway id…"
          value={filter.search}
          onInput={({ currentTarget }) => onFilter({ ...filter, search: currentTarget.value })}
        />
      </label>
      <Choice
        label="Outcome"
        value={filter.standing}
        choices={STANDINGS}
        onChoice={(standing) => onFilter({ ...filter, standing })}
      />
      <Choice
        label="Made"
        value={filter.period}
        choices={PERIODS}
        onChoice={(period) => onFilter({ ...filter, period })}
      />
      <label>
        Terminal
        <select
          value={filter.terminal}
          onChange={({ currentTarget }) => onFilter({ ...filter, terminal: currentTarget.value })}
        >
          <option value="">Any</option>
          {terminals.value?.map(({ id, label }) => (
            <option key={id} value={id}>
              {label ?? id}
            </option>
          ))}
        </select>
      </label>
    </search>
  );
}

const STANDINGS = [
  ["any", "Any"],
  ["open", "Open"],
  ["approved", "Approved"],
  ["not-approved", "Not approved"],
] as const;
const PERIODS = [
  ["any", "Any day"],
  ["today", "Today"],
  ["yesterday", "Yesterday"],
  ["week", "The last 7 days"],
] as const;

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly (readonly [value: Value, name: string])[];
  readonly onChoice: (value: Value) => void;
}

function Choice<Value extends string>({ label, value, choices, onChoice }: ChoiceProps<Value>) {
  const choose = (chosen: string): void => {
    const found = choices.find(([one]) => one === chosen);
    if (found !== undefined) onChoice(found[0]);
  };
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {choices.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function List({ filter }: { readonly filter: PaymentFilter }) {
  const { client, open } = useSession();
  const params = listParams(filter, midnightOf(systemClock.now()));
  const read = async (to: RegisterClient, after?: string): Promise<Page> => {
    const { payments, next } = await to.list({ limit: PAGE, ...params, ...(after !== undefined && { after }) });
    return { payments, next };
  };
  const first = useLoad({ client, read });
  usePaymentChanges(first.reload);
  const [older, setOlder] = useState<readonly Page[]>([]);
  const more = useAction<void>();
  const last = older.at(-1) ?? first.value;
  const isWholeShop = filter.period === "any" && filter.terminal === "";
  const read_ = inOrder(
    isWholeShop ? (open.value ?? []) : [],
    ...older.map(({ payments }) => payments),
    first.value?.payments ?? [],
  );
  const shown = read_.filter((payment) => matches(payment, filter));
  const goOn = (): void => {
    if (client === undefined || last?.next === undefined) return;
    const { next } = last;
    more.run(async () => {
      const page = await read(client, next);
      setOlder((pages) => [...pages, page]);
    });
  };
  return (
    <>
      <Waiting loaded={first} what="Reading the payments…" />
      {first.value !== undefined && <TroubleNotice trouble={first.trouble ?? more.trouble} />}
      {first.value !== undefined && shown.length === 0 && <Nothing filter={filter} isMore={last?.next !== undefined} />}
      {shown.length > 0 && <Table payments={shown} />}
      {last?.next !== undefined && (
        <div class="row">
          <button type="button" disabled={more.isBusy || client === undefined} onClick={goOn}>
            {more.isBusy ? "Reading…" : "Read older ones"}
          </button>
          <span class="soft small">{read_.length} payments were read.</span>
        </div>
      )}
    </>
  );
}

/** No match in the list: looks up an exact reference in the whole journal. */
function Nothing({ filter: { search }, isMore }: { readonly filter: PaymentFilter; readonly isMore: boolean }) {
  const { client } = useSession();
  const lookUp = useAction<void>();
  const reference = search.trim();
  const begin = (): void => {
    if (client === undefined) return;
    lookUp.run(async () => {
      const { payment } = await technicianOf(client).timeline({ reference });
      window.location.hash = hrefOf({ at: "payment", id: payment.id });
    });
  };
  return (
    <div class="card stack">
      <p>
        {reference === ""
          ? "No payment fits."
          : `No payment here has "${reference}".${isMore ? " Older ones were not read yet." : ""}`}
      </p>
      {reference !== "" && (
        <div class="row">
          <button type="button" disabled={client === undefined || lookUp.isBusy} onClick={begin}>
            Look up this exact reference
          </button>
        </div>
      )}
      <TroubleNotice trouble={lookUp.trouble} />
    </div>
  );
}

function Table({ payments }: { readonly payments: readonly PaymentView[] }) {
  return (
    <Scrolling class="card table" name="Payments">
      <table class="payments">
        <thead>
          <tr>
            <th>Reference</th>
            <th>Standing</th>
            <th class="number">Amount</th>
            <th>Card</th>
            <th>Terminal</th>
            <th>Register</th>
            <th>Made</th>
          </tr>
        </thead>
        <tbody>
          {payments.map((payment) => (
            <Row key={payment.id} payment={payment} />
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

function Row({ payment }: { readonly payment: PaymentView }) {
  const { id, reference, type, amount, currency, card, terminal, register, createdAt } = payment;
  const { text, tone } = standingOf(payment);
  return (
    <tr>
      <td class="break">
        <a href={hrefOf({ at: "payment", id })}>{reference}</a>
        <div class="soft small">{typeText(type)}</div>
      </td>
      <td>
        <Badge tone={tone}>{text}</Badge>
      </td>
      <td class="number">{amount === undefined ? "" : moneyText(amount, currency)}</td>
      <td>{card === undefined ? <span class="soft">none</span> : cardText(card)}</td>
      <td>{terminal === "" ? <span class="soft">none</span> : terminal}</td>
      <td>{register}</td>
      <td>
        <Moment at={createdAt} />
      </td>
    </tr>
  );
}
