import { clockDigits, clockMs } from "../../src/simulator/request-text.ts";
import { FS, GS } from "./frame.ts";
import { variables } from "./message.ts";
import type { Rba } from "./simulator-core.ts";

/* The device's unit data, configuration and variables (PROTOCOL.md 3.3 and 8). */

/** 07.: thirty fields, many of them empty. */
export function unitData({ on, unit }: Rba): string {
  const fields = [
    "INGENICO",
    unit.device,
    on.serialNumber,
    "128MB",
    "256MB",
    "",
    "SEC 4.02",
    "OS 22.11",
    unit.application,
    "EFTL 2.1",
    "EFTP 3.0",
  ];
  return [...fields, "", "", on.serialNumber, "DC 0705", "ENG 0413"].join(FS);
}

const CONFIGURATION: Readonly<Record<string, string>> = {
  "6_7": "1",
  "6_8": "0",
  "7_29": "1",
  "8_1": "9",
  "14_1": "PKG 2024.10",
  "14_10": "0007",
  "19_1": "1",
  "19_21": "0",
  "91_1": "19",
};

/** The answer to 61.: status 2 with the entry, or 3 if it does not exist. */
export function configurationAnswer(text: string, { on }: Rba): string {
  const [group = "", index = ""] = text.split(GS);
  const key = `${group}_${index}`;
  const value =
    key === "7_29" && !on.capabilities.interfaces.includes("keyed")
      ? "0"
      : Object.hasOwn(CONFIGURATION, key)
        ? CONFIGURATION[key]
        : undefined;
  return value === undefined ? `61.3${group}${GS}${index}${GS}${FS}` : `61.2${group}${GS}${index}${GS}${value}${FS}`;
}

/** Hour of the daily restart, by the device's clock (UTC). */
const RESTART_HOUR = 3;
const DAY_S = 86_400;

/** The answer to 29.: status 2 with the value, or 5 for an unknown variable. */
export function variableAnswer(text: string, rba: Rba): string {
  const id = text.slice(2, 8);
  const value = variableOf(id, rba);
  return value === undefined ? `29.50${id}` : `29.20${id}${value}`;
}

function variableOf(id: string, rba: Rba): string | undefined {
  const nowMs = rba.on.clock.now() + rba.clockOffsetMs;
  const { date, time } = clockDigits(nowMs);
  switch (id) {
    case variables.time:
      return time;
    case variables.date:
      return `${date.slice(2)}${date.slice(0, 2)}`;
    case variables.restart:
      return String(DAY_S - (Math.floor(nowMs / 1000 + (24 - RESTART_HOUR) * 3600) % DAY_S));
    default:
      return undefined;
  }
}

/** The answer to 28.: sets the clock. Other variables are accepted and ignored. */
export function setVariable(text: string, rba: Rba): string {
  const [id, value] = [text.slice(2, 8), text.slice(8)];
  const now = clockDigits(rba.on.clock.now() + rba.clockOffsetMs);
  const set =
    id === variables.time
      ? { ...now, time: value }
      : id === variables.date
        ? { ...now, date: `${value.slice(4)}${value.slice(0, 4)}` }
        : undefined;
  const ms = set && clockMs(set.date, set.time);
  if (set !== undefined && ms === undefined) return `28.30${id}`;
  if (ms !== undefined) rba.clockOffsetMs = ms - rba.on.clock.now();
  return `28.20${id}`;
}
