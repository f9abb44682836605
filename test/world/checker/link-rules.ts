import { approves, moves, standings } from "./books.ts";
import type { Rule } from "./rule.ts";
import {
  approvedIsBooked,
  calledOffIsNotApproved,
  capturedIsCaptured,
  finalIsWhole,
  money,
  neverAbove,
  notApprovedIsClear,
  oneBooking,
  SALE_END_RULES,
} from "./rules.ts";

/** What the id of a booking begins with that came by a second browser. */
export const SECOND = "second";

/** Truth 2. A customer may pay twice: what is too much may still be on its way back. */
const approvedIsPaid: Rule = {
  rule: "approved-is-paid",
  broken: ({ asked, rows, told, decision }) => {
    if (decision?.says !== "approved") return undefined;
    const said = told?.approvedAmount ?? asked.amount;
    const paid = standings(rows).filter(({ root, net }) => net > 0 && approves(root));
    if (!paid.some(({ net }) => net === said))
      return `approved ${money(said)} with ${paid.map(({ net }) => money(net)).join(" and ") || "nothing"} paid`;
    const more = paid.filter(({ root }) => root.isSecond !== true);
    return more.length > 1 ? `approved with ${more.length} net bookings` : undefined;
  },
};

/** Who pays after he was told that it is too late hears that his money came, and goes back. */
const lateIsTold: Rule = {
  rule: "late-payment-is-told",
  broken: ({ rows, told, decision }) => {
    if (decision === undefined || told?.decision !== "not-approved" || told.lateBooking) return undefined;
    const late = rows.find((row) => row.of === undefined && moves(row) && row.at > decision.at);
    return late && `${late.type} over ${money(late.amount)} was paid after the decision, and nobody was told`;
  },
};

export const LINK_RULES: readonly Rule[] = [
  approvedIsPaid,
  capturedIsCaptured,
  notApprovedIsClear,
  calledOffIsNotApproved,
  finalIsWhole,
];
export const LINK_END_RULES: readonly Rule[] = [
  ...SALE_END_RULES,
  oneBooking,
  neverAbove,
  approvedIsBooked,
  lateIsTold,
];
