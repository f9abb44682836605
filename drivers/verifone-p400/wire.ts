import { wireOf } from "../vipa/wire.ts";
import { commandName, parseApdu } from "./apdu.ts";
import { push } from "./frame.ts";
import { parseEvent, parseObjects } from "./message.ts";
import { statusText } from "./status-codes.ts";

/** Describes the traffic for a trace. */
export const wire = wireOf({ push, parse: parseObjects, parseApdu, commandName, statusText, parseEvent });
