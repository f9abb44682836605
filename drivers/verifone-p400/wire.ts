import { wireOf } from "../vipa/wire.ts";
import { commandName, parseApdu } from "./apdu.ts";
import { push } from "./frame.ts";
import { parseEvent, parseObjects } from "./message.ts";
import { statusText } from "./status-codes.ts";

/** The line in words, for a trace. */
export const wire = wireOf({ push, parse: parseObjects, parseApdu, commandName, statusText, parseEvent });
