import type { RestoredReport } from "../agent/restored.ts";
import { tableLines } from "./table.ts";
import type { Output } from "./terminal-output.ts";

/** Limit of printed bookings; --json has all. */
const SHOWN = 200;

const HEADINGS = ["TIME", "TYPE", "AMOUNT", "CURRENCY", "RESULT", "GATEWAY ID", "WHOSE"] as const;

/** The gateway's bookings since the backup, for the confirmation. */
export function printReport({ madeAt, bookings, untold, undecided }: RestoredReport, output: Output): void {
  const own = bookings.filter(({ isOwn, of }) => isOwn || of !== undefined);
  const others = bookings.filter((one) => !own.includes(one));
  output.out(
    `Since the backup of ${madeAt} the gateway has ${own.length} requests of this bridge that the journal does not hold, and ${others.length} of others.`,
  );
  for (const line of bookings.length === 0
    ? []
    : tableLines(HEADINGS, [...own, ...others].slice(0, SHOWN).map(rowOf), ["AMOUNT"]))
    output.out(line);
  if (bookings.length > SHOWN) output.out(`and ${bookings.length - SHOWN} more; --json has all of them`);
  for (const { entityId, description } of untold) {
    output.out(
      `the gateway does not tell about ${entityId}, which the configuration no longer names (${plain(description)}): look in its back office`,
    );
  }
  for (const { register, reference, type, amount } of undecided) {
    output.out(
      `not decided when the backup was made: "${reference}" of register "${register}" (${type} ${amount}); say what became of it: posbridge resolve`,
    );
  }
  output.out(
    "What registers sold under references of that time is known to them alone; so is what a terminal approved offline.",
  );
}

function rowOf({
  at = "",
  paymentType,
  amount = "",
  currency = "",
  is,
  resultCode,
  id,
  isOwn,
  of,
}: RestoredReport["bookings"][number]): readonly string[] {
  const owner = of === undefined ? (isOwn ? "this bridge" : "not known") : `"${of.reference}" of ${of.register}`;
  return [at, paymentType, amount, currency, is === "booked" ? is : `${is} (${resultCode})`, id, plain(owner)];
}

/** A register's text may hold anything; the terminal must not obey it. */
function plain(text: string): string {
  return text.replace(/\p{C}/gu, "?");
}
