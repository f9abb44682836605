/** PROTOCOL.md 4.4. */
export const OK = 0x00;
export const UNKNOWN_COMMAND = 0x02;
const UNKNOWN_SUB_COMMAND = 0x03;
export const BAD_PARAMETER = 0x05;
export const TIMEOUT = 0x08;
export const FAILED = 0x0a;
export const NOT_ALLOWED = 0x0b;
export const SUB_COMMAND_NOT_ALLOWED = 0x0c;
export const UI_EVENT = 0x0e;
export const TAMPER = 0x1d;
export const ONLINE_WANTED = 0x23;
export const MORE_FOLLOWS = 0x63;
export const OTHER_CARD = 0x80;
export const CARD_INSERTED = 0x81;
export const KEY_MISSING = 0x90;
export const KEY_USED_UP = 0x91;
export const CARD_INSERTED_NEWER = 0xa3;

const meanings: Readonly<Record<number, string>> = {
  [0x01]: "bad header",
  [UNKNOWN_COMMAND]: "unknown command",
  [UNKNOWN_SUB_COMMAND]: "unknown sub command",
  [0x04]: "bad CRC",
  [BAD_PARAMETER]: "bad parameter",
  [0x06]: "parameter not supported",
  [0x07]: "malformed data",
  [TIMEOUT]: "timeout",
  [FAILED]: "failed",
  [NOT_ALLOWED]: "not allowed now",
  [SUB_COMMAND_NOT_ALLOWED]: "sub command not allowed now",
  [0x0d]: "overflow",
  [0x12]: "secure interface down",
  [TAMPER]: "tampered",
  [0x60]: "data does not exist",
  [OTHER_CARD]: "contact chip cannot be started",
  [CARD_INSERTED]: "a card was inserted",
  [KEY_MISSING]: "key for card data missing",
  [KEY_USED_UP]: "key for card data used up",
  [CARD_INSERTED_NEWER]: "a card was inserted",
};

/** A status in an operator's words: "0B not allowed now". */
export function statusText(status: number): string {
  const code = status.toString(16).toUpperCase().padStart(2, "0");
  const meaning = meanings[status];
  return meaning === undefined ? code : `${code} ${meaning}`;
}
