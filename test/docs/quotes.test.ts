import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { tellOfPast } from "../../src/agent/rollback.ts";
import { alarmed, alarmsOf } from "../../src/engine/shell/alarms.ts";
import { openPayment, states } from "../../src/observe/open-payment.ts";
import { overdueLines } from "../../src/observe/overdue.ts";
import { completing, sale } from "../support/sale.ts";

/** What the pages for technicians quote, the bridge really says. */
const document = ["operating", "payments", "log", "journal"]
  .map((page) => fs.readFileSync(`docs/${page}.md`, "utf8"))
  .join("\n");

const aboutOne = {
  level: z.literal("error"),
  time: z.string(),
  alarm: z.literal(true),
  payment: z.string(),
  reference: z.string(),
  register: z.string(),
};
const openSchema = z.strictObject({
  ...aboutOne,
  ...{
    terminal: z.string(),
    state: z.enum(states),
    since: z.string(),
    owed: z.string(),
    mend: z.string(),
    openSeconds: z.int(),
    msg: z.string(),
  },
});
const alarmSchema = z.strictObject({ ...aboutOne, terminal: z.string(), mend: z.string(), msg: z.string() });

const alarms = [...document.matchAll(/^ {4}(\{"level":.*"alarm":true.*\})$/gm)].map(([, line]): unknown =>
  JSON.parse(line ?? ""),
);

describe("a line of the log that a page for technicians quotes", () => {
  test("about an open payment is what the bridge logs of it, to the letter", () => {
    const lines = alarms.flatMap((line) => openSchema.safeParse(line).data ?? []);
    expect(lines.length).toBe(1);
    for (const { level: _, time, msg, ...fields } of lines) {
      const { payment: id, since: createdAt, ...seen } = fields;
      const open = openPayment({ ...seen, id, createdAt, type: "SALE" });
      const logged = overdueLines(
        open === undefined ? [] : [{ ...open, openMs: Date.parse(time) - Date.parse(createdAt) }],
        0,
        new Map(),
      ).lines;
      expect(logged).toEqual([{ fields, message: msg }]);
    }
  });

  test("about another alarm has the fields and the words of one", () => {
    const lines = alarms.flatMap((line) => alarmSchema.safeParse(line).data ?? []);
    expect(lines.length).toBe(alarms.length - 2);
    const story = completing({ ...sale, channel: { ...sale.channel, settlement: "single" } }).meets({
      on: "finished",
      verdict: "declined",
      chip: {},
    });
    const told = Array.from({ length: 3 }).flatMap(() => {
      story.answer({ is: "not-booked", why: "refused", resultCode: "1.1", description: "" });
      const before = story.payment;
      return alarmsOf(before, story.meets({ on: "woken" }, 3_600_000).payment);
    });
    for (const { payment, reference, register, terminal, mend, msg } of lines) {
      const logged = told.map((alarm) => ({
        ...alarmed({ ...story.payment.accepted, id: payment, reference, register, terminal }),
        ...alarm,
      }));
      expect(logged).toContainEqual({ payment, reference, register, terminal, mend, what: msg });
    }
  });
});

test("the alarm of a data folder that was put back is what the page quotes, to the letter", () => {
  const schema = z.strictObject({
    level: z.literal("error"),
    time: z.string(),
    alarm: z.literal(true),
    register: z.string(),
    cursor: z.int(),
    last: z.int(),
    mend: z.string(),
    msg: z.string(),
  });
  const [line] = alarms.flatMap((alarm) => schema.safeParse(alarm).data ?? []);
  if (line === undefined) throw new Error("no such line is quoted");
  const { level: _, time: _time, msg, ...fields } = line;
  const logged: unknown[] = [];
  const quiet = (): void => undefined;
  const log = {
    debug: quiet,
    info: quiet,
    warn: quiet,
    error: (said: object, message: string) => void logged.push(said, message),
  };
  tellOfPast(log, { alarmRaised: () => undefined })({
    register: fields.register,
    cursor: fields.cursor,
    last: fields.last,
    isProven: true,
  });
  expect(logged).toEqual([fields, msg]);
});

test("every refusal of resolve that docs/payments.md quotes stands in the sources, but for what differs from case to case", () => {
  const files = fs.readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const sources = files.map((file) => fs.readFileSync(path.join("src", file), "utf8")).join("\n");
  const refusals = [...document.matchAll(/^ {4}posbridge: ((?:reference|no payment) .*)$/gm)].map(
    ([, text]) => text ?? "",
  );
  expect(refusals.length).toBeGreaterThan(10);
  const cases = /"[^"]*"|\b8ac7[0-9a-f]+|\b\d+\b|\((?:APPROVED|declined)\)/;
  const words = refusals.flatMap((refusal) =>
    refusal.split(cases).map((one) => one.replace(/^[\s:;,]+|[\s:;,]+$/g, "")),
  );
  expect(words.filter((one) => !sources.includes(one))).toEqual([]);
});
