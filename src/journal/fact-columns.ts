/*
 * Names in the JSON text of a fact, worded like the indices `facts_operation` and `facts_gateway_id` (schema.ts):
 * otherwise SQLite reads every fact.
 */

const json = (table: string, path: string): string =>
  `json_extract(${table === "" ? "" : `${table}.`}fact, '$.${path}')`;

/** The merchantTransactionId of a gateway request. */
export const operationIn = (table = ""): string => json(table, "operation.merchantTransactionId");

/** The highest sequence number of a request. Reads every fact of a request. */
export const LAST_SEQUENCE_NUMBER = `SELECT coalesce(max(${json("", "operation.sequenceNumber")}), 0) AS number FROM facts
  WHERE ${operationIn()} IS NOT NULL`;

/** The gateway's id in an answer, in an operator's decision, or of a paid link. */
export const gatewayIdIn = (table = ""): string =>
  `coalesce(${["answer.id", "gatewayId", "sight.transactionId"].map((path) => json(table, path)).join(", ")})`;
