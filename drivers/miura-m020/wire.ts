import { parseTlv } from "../../src/emv/tlv.ts";
import { wireOf } from "../vipa/wire.ts";
import { commandName, parseApdu } from "./apdu.ts";
import { push } from "./frame.ts";
import { parseEvent } from "./message.ts";
import { statusText } from "./status-codes.ts";

/** Describes the traffic for a trace. */
export const wire = wireOf({ push, parse: parseTlv, parseApdu, commandName, statusText, parseEvent });
