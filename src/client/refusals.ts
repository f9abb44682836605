import type { WireError } from "./api.ts";
import { CallRefused } from "./errors.ts";

/* One class for each code of the register API. A code that this version does not know is a plain CallRefused. */

export class Unauthorized extends CallRefused {
  declare readonly code: "unauthorized";
}
export class Forbidden extends CallRefused {
  declare readonly code: "forbidden";
}
export class UnknownTerminal extends CallRefused {
  declare readonly code: "unknown-terminal";
}
export class TerminalBusy extends CallRefused {
  declare readonly code: "terminal-busy";
}
export class TerminalOffline extends CallRefused {
  declare readonly code: "terminal-offline";
}
export class TerminalOutOfService extends CallRefused {
  declare readonly code: "terminal-out-of-service";
}
export class ReferenceReused extends CallRefused {
  declare readonly code: "reference-reused";
}
export class UndecidedPayment extends CallRefused {
  declare readonly code: "undecided-payment";
}
export class NotFound extends CallRefused {
  declare readonly code: "not-found";
}
export class NotAllowed extends CallRefused {
  declare readonly code: "not-allowed";
}
export class InvalidAmount extends CallRefused {
  declare readonly code: "invalid-amount";
}
export class Unsupported extends CallRefused {
  declare readonly code: "unsupported";
}
export class CursorGone extends CallRefused {
  declare readonly code: "cursor-gone";
}
export class TooManyRequests extends CallRefused {
  declare readonly code: "too-many-requests";
}
export class ShuttingDown extends CallRefused {
  declare readonly code: "shutting-down";
}
export class JournalUnwritable extends CallRefused {
  declare readonly code: "journal-unwritable";
}
export class CardNumberInText extends CallRefused {
  declare readonly code: "card-number-in-text";
}
export class GatewayUnreached extends CallRefused {
  declare readonly code: "gateway-unreached";
}
export class JournalBroken extends CallRefused {
  declare readonly code: "journal-broken";
}
export class RefundLimit extends CallRefused {
  declare readonly code: "refund-limit";
}
export class DataFolderRolledBack extends CallRefused {
  declare readonly code: "data-folder-rolled-back";
}
export class CardNumberFound extends CallRefused {
  declare readonly code: "card-number-found";
}
export class OriginNotAllowed extends CallRefused {
  declare readonly code: "origin-not-allowed";
}
export class ParseError extends CallRefused {
  declare readonly code: "parse-error";
}
export class InvalidRequest extends CallRefused {
  declare readonly code: "invalid-request";
}
export class UnknownMethod extends CallRefused {
  declare readonly code: "unknown-method";
}
export class InvalidParams extends CallRefused {
  declare readonly code: "invalid-params";
}
export class InternalError extends CallRefused {
  declare readonly code: "internal-error";
}

/** The class of each code. */
export const refusals = {
  unauthorized: Unauthorized,
  forbidden: Forbidden,
  "unknown-terminal": UnknownTerminal,
  "terminal-busy": TerminalBusy,
  "terminal-offline": TerminalOffline,
  "terminal-out-of-service": TerminalOutOfService,
  "reference-reused": ReferenceReused,
  "undecided-payment": UndecidedPayment,
  "not-found": NotFound,
  "not-allowed": NotAllowed,
  "invalid-amount": InvalidAmount,
  unsupported: Unsupported,
  "cursor-gone": CursorGone,
  "too-many-requests": TooManyRequests,
  "shutting-down": ShuttingDown,
  "journal-unwritable": JournalUnwritable,
  "card-number-in-text": CardNumberInText,
  "gateway-unreached": GatewayUnreached,
  "journal-broken": JournalBroken,
  "refund-limit": RefundLimit,
  "data-folder-rolled-back": DataFolderRolledBack,
  "card-number-found": CardNumberFound,
  "origin-not-allowed": OriginNotAllowed,
  "parse-error": ParseError,
  "invalid-request": InvalidRequest,
  "unknown-method": UnknownMethod,
  "invalid-params": InvalidParams,
  "internal-error": InternalError,
} as const;

const byCode = new Map<string, new (error: WireError) => CallRefused>(Object.entries(refusals));

/** The error of a refused call. */
export function refusalOf(error: WireError): CallRefused {
  return new (byCode.get(error.data.code) ?? CallRefused)(error);
}
