import { useCallback, useEffect, useReducer, useState } from "preact/hooks";
import type { RegisterClient } from "../../client/client.ts";
import { Notice } from "../design/notice.tsx";
import { periodOfDay } from "./day.ts";
import { EVERYTHING, filterOf, type History, isFound, NO_HISTORY, nextHistory, type Wanted } from "./history.ts";
import { PaymentRows } from "./payment-rows.tsx";
import type { OpenTill } from "./use-till.ts";
import { momentText } from "./words.ts";

const PAGE = 50;

/** All payments of this till, newest first, with search and filter. */
export function HistoryView({ open, onOpened }: { readonly open: OpenTill; readonly onOpened: () => void }) {
  const { client, desk, till } = open;
  const [wanted, setWanted] = useState<Wanted>(EVERYTHING);
  const { history, more } = useHistory(client, wanted, till.recent);
  const search = wanted.search.trim();
  const found = history.payments.filter((payment) => isFound(payment, search));
  return (
    <section class="card stack history">
      <h1>History</h1>
      <Filters wanted={wanted} terminals={open.terminals.map(({ id }) => id)} onWanted={setWanted} />
      {history.is === "failed" && <Notice tone="bad">The bridge did not give the list. Try again in a moment.</Notice>}
      {found.length === 0 && history.is === "loaded" && (
        <p class="soft">{search === "" ? "No payments here." : "Nothing found among the payments that are loaded."}</p>
      )}
      <PaymentRows
        payments={found}
        isConnected={client !== undefined}
        timeOf={momentText}
        onOpen={(payment) => {
          desk.open(payment);
          onOpened();
        }}
      />
      <div class="row">
        {history.next !== undefined && (
          <button type="button" disabled={history.is === "loading"} onClick={more}>
            {search === "" ? "Show earlier ones" : "Search further back"}
          </button>
        )}
        {search !== "" && (
          <button
            type="button"
            onClick={() => {
              void desk.find({ reference: search });
              onOpened();
            }}
          >
            Open the payment with exactly this reference
          </button>
        )}
        <span role="status" class="soft small">
          {history.is === "loading" ? "Loading…" : `${found.length} shown`}
        </span>
      </div>
    </section>
  );
}

function useHistory(
  client: RegisterClient | undefined,
  wanted: Wanted,
  changed: History["payments"],
): { readonly history: History; more(): void } {
  const [history, tell] = useReducer(nextHistory, NO_HISTORY);
  const { show, day, terminal } = wanted;
  const load = useCallback(
    (after: string | undefined, isWanted: () => boolean): void => {
      if (client === undefined) return;
      tell({ is: "asked" });
      client
        .list({
          ...filterOf({ show, day, terminal, search: "" }, periodOfDay(day)),
          limit: PAGE,
          ...(after !== undefined && { after }),
        })
        .then(
          ({ payments, next }) => isWanted() && tell({ is: "page", payments, next, isFirst: after === undefined }),
          () => isWanted() && tell({ is: "failed" }),
        );
    },
    [client, show, day, terminal],
  );
  useEffect(() => {
    let isShown = true;
    load(undefined, () => isShown);
    return () => {
      isShown = false;
    };
  }, [load]);
  useEffect(() => tell({ is: "changed", payments: changed }), [changed]);
  return { history, more: () => load(history.next, () => true) };
}

const SHOWS: readonly (readonly [Wanted["show"], string])[] = [
  ["all", "All"],
  ["open", "Not over yet"],
  ["APPROVED", "Approved"],
  ["PARTIALLY_APPROVED", "Approved in part"],
  ["DECLINED", "Declined"],
  ["CANCELLED", "Cancelled"],
  ["FAILED", "Not paid"],
];

interface FiltersProps {
  readonly wanted: Wanted;
  readonly terminals: readonly string[];
  readonly onWanted: (wanted: Wanted) => void;
}

function Filters({ wanted, terminals, onWanted }: FiltersProps) {
  const shown = SHOWS.map(([value]) => value);
  return (
    <search class="filters">
      <label class="filters-search">
        Search
        <input
          type="search"
          placeholder="Reference, amount, card, cashier"
          value={wanted.search}
          onInput={({ currentTarget }) => onWanted({ ...wanted, search: currentTarget.value })}
        />
      </label>
      <label>
        Show
        <select
          value={wanted.show}
          onChange={({ currentTarget }) =>
            onWanted({ ...wanted, show: shown.find((each) => each === currentTarget.value) ?? "all" })
          }
        >
          {SHOWS.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Day
        <input
          type="date"
          value={wanted.day}
          onInput={({ currentTarget }) => onWanted({ ...wanted, day: currentTarget.value })}
        />
      </label>
      {terminals.length > 1 && (
        <label>
          Terminal
          <select
            value={wanted.terminal}
            onChange={({ currentTarget }) => onWanted({ ...wanted, terminal: currentTarget.value })}
          >
            <option value="">All</option>
            {terminals.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
      )}
    </search>
  );
}
