import { useEffect, useState } from "preact/hooks";
import { systemClock } from "../../kit/system-clock.ts";
import { moneyText } from "../design/money-text.ts";
import { Notice } from "../design/notice.tsx";
import { dayOf, inOrder, moneyTaken, periodOfDay, type TotalsRow } from "./day.ts";
import type { OpenTill } from "./use-till.ts";
import { nameOfType } from "./words.ts";

/** The totals of one day. */
export function TotalsView({ open: { client, till } }: { readonly open: OpenTill }) {
  const today = dayOf(systemClock.now());
  const [day, setDay] = useState(today);
  const [rows, setRows] = useState<readonly TotalsRow[]>();
  const [isRefused, setRefused] = useState(false);
  // Newly finished payments count at once.
  const stamp = till.recent.map(({ id, updatedAt }) => id + updatedAt).join();
  useEffect(() => {
    let isWanted = true;
    const period = periodOfDay(day);
    if (client === undefined || period === undefined) return;
    client.totals(period).then(
      (told) => {
        if (!isWanted) return;
        setRows(told);
        setRefused(false);
      },
      () => isWanted && setRefused(true),
    );
    return () => {
      isWanted = false;
    };
  }, [client, day, stamp]);
  return (
    <section class="card stack totals">
      <div class="row">
        <h1>The day's totals</h1>
        <label class="totals-day">
          <span class="for-readers">Day</span>
          <input type="date" value={day} max={today} onInput={({ currentTarget }) => setDay(currentTarget.value)} />
        </label>
        <button type="button" class="no-print" onClick={() => window.print()}>
          Print
        </button>
      </div>
      {isRefused && <Notice tone="bad">The bridge did not give the totals. Try again in a moment.</Notice>}
      {rows !== undefined && <Taken rows={rows} />}
      {rows !== undefined && rows.length > 0 && <Rows rows={rows} />}
      <p class="soft small">
        Taken is sales and captures, less refunds and voids. Reservations are not taken yet. What is not decided is not
        counted. A void of a reservation of an earlier day is counted as less, though no money was taken: the history
        tells.
      </p>
    </section>
  );
}

function Taken({ rows }: { readonly rows: readonly TotalsRow[] }) {
  const taken = moneyTaken(rows);
  if (taken.length === 0) return <p class="soft">Nothing yet on this day.</p>;
  return (
    <ul class="taken">
      {taken.map(({ currency, amount }) => (
        <li key={currency}>
          <span class="soft">Taken</span>
          <strong class="number">{moneyText(amount, currency)}</strong>
        </li>
      ))}
    </ul>
  );
}

function Rows({ rows }: { readonly rows: readonly TotalsRow[] }) {
  return (
    <div class="table">
      <table>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col" class="number">
              Count
            </th>
            <th scope="col" class="number">
              Sum
            </th>
          </tr>
        </thead>
        <tbody>
          {inOrder(rows).map(({ terminal, type, brand, currency, count, amount }) => (
            <tr key={[terminal, type, brand, currency].join()}>
              <td>
                {nameOfType(type)}
                <span class="soft small totals-where">
                  {[brand === "UNKNOWN" ? "no card presented" : brand, terminal]
                    .filter((text) => text !== "")
                    .join(" · ")}
                </span>
              </td>
              <td class="number">{count}</td>
              <td class="number">{moneyText(amount, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
