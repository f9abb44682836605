import type { RefusalCode } from "../../payment/request.ts";

/** Errors of JSON-RPC 2.0 itself, and of a page that gets no further. */
export type StandardCode =
  | "parse-error"
  | "invalid-request"
  | "unknown-method"
  | "invalid-params"
  | "internal-error"
  | "origin-not-allowed";
export type ErrorCode = StandardCode | RefusalCode;

/** For register developers: the meaning of each error, and what to do. Generated pages and OpenRPC repeat it. */
export const ERROR_MEANINGS: Readonly<Record<ErrorCode, readonly [meaning: string, fix: string]>> = {
  "parse-error": ["The frame is not JSON.", "Send one JSON object in each text frame."],
  "invalid-request": [
    "The frame is no request: a batch, no `id`, too deep, or a member that is named twice.",
    "Correct your program. Nothing was executed.",
  ],
  "unknown-method": ["There is no method of that name.", "Look at `GET /openrpc.json` of this bridge."],
  "invalid-params": [
    "A parameter is missing, unknown or has a wrong form. `data.path` names it.",
    "Correct your program. Nothing was executed, and the reference is free.",
  ],
  "internal-error": [
    "The bridge failed at this call.",
    "Ask for the payment by `payment.get`, and tell the technician: the bridge's log says why.",
  ],
  "origin-not-allowed": [
    "The page comes from an origin that the configuration does not name. It hears this once, and is closed with 4403.",
    "Add the page's origin to `origins` of the configuration, to the letter.",
  ],
  unauthorized: [
    "There is no session, or the token is not known.",
    "Call `session.open` first. For an unknown token make a new one: `posbridge tokens create`.",
  ],
  forbidden: ["The token lacks a scope. The message names it.", "Ask the technician for a token that has it."],
  "unknown-terminal": ["There is no terminal of that id.", "Take an id of `terminals.list`."],
  "terminal-busy": [
    "Another payment has the terminal. `data.reference` names it, for every register.",
    'Wait for it, or send `"queue": true`.',
  ],
  "terminal-offline": ["The bridge has no connection to the terminal.", "Look at its cable and its power; try again."],
  "terminal-out-of-service": [
    "The terminal may not be used: tampered, without keys, or wrongly set up.",
    "Take another terminal, and call the technician.",
  ],
  "reference-reused": [
    "The reference stands for other content. After a restored backup the message names the booking of it.",
    "Ask `payment.get` what became of it: any member may differ, `cashier` too. Repeat a request unchanged; a new reference is a new payment.",
  ],
  "undecided-payment": [
    "A payment of the same order, the original, or another follow-up of it is not decided yet. `data.reference` names it.",
    "Wait for it. If the cashier knows about it, name it in `despite`.",
  ],
  "not-found": [
    "Nothing was accepted under that name, or it belongs to another register.",
    "For a reference of your own: it was never accepted, so the sale can start.",
  ],
  "not-allowed": [
    "It cannot follow: not approved, voided, captured, refunded in full, or `despite` names no undecided payment of the order.",
    "Read the message, and look at the payment.",
  ],
  "invalid-amount": [
    "The amount has the wrong decimals, is zero, or is more than is left.",
    "The message says what is allowed.",
  ],
  unsupported: [
    "The terminal, the channel or this version cannot do it.",
    "The message names the field, and what there is instead.",
  ],
  "cursor-gone": [
    "The bridge does not have that cursor, or the changes after it are in the archive.",
    "Subscribe without a cursor, and read `payment.list`.",
  ],
  "too-many-requests": ["The socket sends too much, or too often. Nothing was executed.", "Slow down, and try again."],
  "shutting-down": ["The bridge is stopping. Nothing was accepted.", "Connect again in a moment."],
  "journal-unwritable": [
    "The bridge's disk takes no writing. Nothing was accepted; a cancel or a signature may count later.",
    "Try again: the bridge goes on by itself. Look at the payment before you repeat a cancel. Tell the technician if it lasts.",
  ],
  "card-number-in-text": ["A text reads like a card number.", "Never send card data. `data.path` names the field."],
  "gateway-unreached": [
    "The gateway could not be asked about a `gatewayId`. Nothing has happened.",
    "Try again in a minute.",
  ],
  "journal-broken": [
    "The disk failed while a payment was written. It is the only refusal after which it may have been accepted.",
    "Ask `payment.get` once the bridge runs again, or repeat the call under the same reference. Never take a new one before.",
  ],
  "refund-limit": [
    "It is more than this token may give back, by one payment or in a day. `data.left` says what is left.",
    "Give back less, or let somebody with another token do it.",
  ],
  "data-folder-rolled-back": [
    "The data folder was put back to an earlier moment: the bridge does not know what was sold since. Nothing was accepted.",
    "Send nothing again that you sold since. A technician confirms first (`rollbacks.confirm`).",
  ],
  "card-number-found": [
    "No support bundle was made: what `data.path` names reads like a card number.",
    "Look at it on the bridge's machine.",
  ],
};
