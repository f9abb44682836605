import type { DriverOption } from "../../src/terminal/driver.ts";
import { type Member, type MemberName, members } from "./members.ts";

/** PROTOCOL.md 1.2 and 2.4. */
export const driverOptions: readonly DriverOption[] = [
  {
    name: "reader",
    meaning: "which reader it is, for it does not say so itself: edynamo, tdynamo, dynawave or mdynamo",
    allowed: /edynamo|tdynamo|dynawave|mdynamo/,
    usual: "edynamo",
  },
  { name: "baudRate", meaning: "speed of the serial line", allowed: /9600|19200|38400|57600|115200/, usual: "115200" },
];

const isMember = (name: string): name is MemberName => Object.hasOwn(members, name);

/** The configured member. */
export function memberIn(options: Readonly<Record<string, string>>): Member {
  const name = (Object.hasOwn(options, "reader") ? options["reader"] : undefined) ?? "";
  return isMember(name) ? members[name] : members.edynamo;
}
