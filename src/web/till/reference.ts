import type { Random } from "../../kit/random.ts";

/** Letters and digits that sound and look different. */
const LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const COUNT = 6;

/** A unique reference: time, and thirty random bits; short enough to type from a receipt. */
export function newReference(now: number, random: Random): string {
  const [day = "", time = ""] = new Date(now).toISOString().split("T");
  const tail = [...random.bytes(COUNT)].map((byte) => LETTERS[byte % LETTERS.length]).join("");
  return `${day.replaceAll("-", "").slice(2)}-${time.slice(0, 5).replace(":", "")}-${tail}`;
}
