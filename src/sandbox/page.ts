import { deck } from "../testbed/deck.ts";
import { sredDeviceTypes } from "../testbed/sred-layouts.ts";
import type { Reply } from "./exchange.ts";
import { magicAmountLines } from "./ledger/magic-amounts.ts";

const FAULTS: readonly string[] = [
  "drop-before      connection cut, nothing booked",
  "drop-after       booked, reply lost",
  "delay            booked, reply after delayMs (90 s)",
  "reset-mid-body   booked, connection reset in the middle of the reply",
  "http-500         HTTP 500, nothing booked",
  "http-502-html    booked, HTTP 502 with a page of HTML",
  "truncated-json   booked, JSON of the reply ends in the middle",
  "throttle         800.120.100, nothing booked",
  "hide-from-query  booked, queries know nothing of it for delayMs (60 s)",
  '{"result":CODE}  that result; success books, 900.100.300 .400 .500 book too',
];

/** What a person sees who opens the sandbox in a browser. */
export function page(entityIds: readonly string[]): Reply {
  const lines = [
    "posbridge sandbox gateway: no money moves here.",
    "",
    `Entities: ${entityIds.join(", ")}`,
    "",
    "Magic amounts (the smallest unit counts: 9100.05 EUR and 910005 JPY are the same)",
    ...magicAmountLines().map((line) => `  ${line}`),
    "",
    "Test cards",
    ...deck.map(({ name, title }) => `  ${name.padEnd(34)}${title}`),
    "",
    `pos.deviceType whose SRED data is opened here: ${sredDeviceTypes.join(", ")}`,
    "",
    'Faults: POST /sandbox/v1/faults {"on":{"path","paymentType","merchantTransactionId"},"do":...,"times":1,"delayMs":...}; DELETE takes them all away',
    ...FAULTS.map((line) => `  ${line}`),
    "",
    'Ledger: GET /sandbox/v1/ledger[?merchantTransactionId=...]   Clock: POST /sandbox/v1/clock {"advanceMs":60000}',
    "",
  ];
  return { is: "reply", status: 200, headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" }, body: lines.join("\n") };
}
