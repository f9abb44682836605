import { describe, expect, it } from "vitest";
import { CallRefused, ConnectionLost, ProtocolBroken } from "../../../../src/client/errors.ts";
import { fieldsText, type LogLine, MOST_LINES, matchesLog, withLines } from "../../../../src/web/console/log-lines.ts";
import { cardText, standingOf } from "../../../../src/web/console/payment-words.ts";
import { hrefOf, type Route, routeOf } from "../../../../src/web/console/route.ts";
import { troubleOf } from "../../../../src/web/console/trouble.ts";
import { moneyText } from "../../../../src/web/design/money-text.ts";

describe("the address of a view", () => {
  const plain = (["overview", "terminals", "pair", "payments", "open", "checks", "log", "support"] as const).map(
    (at) => ({ at }),
  );
  const named = ["till-1", "a/b c?#%", "пай"].flatMap((id) =>
    (["terminal", "replace", "trace", "payment"] as const).map((at) => ({ at, id })),
  );
  it.each<Exclude<Route, { at: "unknown" }>>([...plain, ...named])("leads back to it: %j", (route) => {
    expect(routeOf(hrefOf(route))).toEqual(route);
  });
  it.each(["#/nothing", "#/terminals/", "#/terminals/a/b", "#/payments/%zz", "#/toString", "#/payments/a/b/c"])(
    "%s names no view",
    (hash) => {
      expect(routeOf(hash)).toEqual({ at: "unknown", hash });
    },
  );
  it("without anything is the overview", () => {
    expect([routeOf(""), routeOf("#"), routeOf("#/")]).toEqual([
      { at: "overview" },
      { at: "overview" },
      { at: "overview" },
    ]);
  });
});

const refusal = (code: string, path?: string) =>
  new CallRefused({
    code: -32_000,
    message: "",
    data: { code, message: "till-1 is held by a payment", advice: "retry", ...(path !== undefined && { path }) },
  });

it.each([
  [refusal("unknown-method"), "too-old"],
  [refusal("forbidden"), "no-scope"],
  [refusal("terminal-busy"), "refused"],
  [new ConnectionLost(1006, ""), "cut"],
  [new ProtocolBroken("x"), "broken"],
  [new TypeError("x"), "broken"],
])("%s is told as %s", (error, kind) => {
  expect(troubleOf(error).kind).toBe(kind);
});

it("a refusal is told as a sentence, with the field that it is about", () => {
  expect(troubleOf(refusal("not-allowed", "connection.serial"))).toMatchObject({
    text: "Till-1 is held by a payment.",
    path: "connection.serial",
    code: "not-allowed",
  });
  expect(troubleOf(new ConnectionLost(1006, "")).text).toContain("may have been done");
});

describe("the log", () => {
  const line = (level: string, text: string, fields?: LogLine["fields"]): LogLine => ({
    at: "2026-03-01T10:00:00.000Z",
    level,
    text,
    fields,
  });
  it("shows a level and all that press more, and a level that it does not know", () => {
    const levels = ["debug", "info", "warn", "error", "fatal", "notice"];
    expect(levels.filter((level) => matchesLog(line(level, ""), { from: "warn", search: "" }))).toEqual([
      "warn",
      "error",
      "fatal",
      "notice",
    ]);
  });
  it("is searched in text and fields", () => {
    const refused = line("info", "Call refused", { terminal: "till-1", ms: 12 });
    expect(["REFUSED", "till-1", "ms=12"].map((search) => matchesLog(refused, { from: "info", search }))).toEqual([
      true,
      true,
      true,
    ]);
    expect(matchesLog(refused, { from: "info", search: "till-2" })).toBe(false);
    expect(fieldsText(refused.fields)).toBe("terminal=till-1 ms=12");
  });
  it("keeps the newest lines", () => {
    const many = Array.from({ length: MOST_LINES }, (_, at) => line("info", String(at)));
    expect(
      withLines(many, [line("info", "new")])
        .map(({ text }) => text)
        .slice(-2),
    ).toEqual([String(MOST_LINES - 1), "new"]);
    expect(withLines(many, [line("info", "new")])).toHaveLength(MOST_LINES);
  });
});

it.each([
  ["12.34", "EUR", "€12.34"],
  ["1200", "JPY", "¥1,200"],
  ["98765432109876543.21", "EUR", "€98,765,432,109,876,543.21"],
  ["<b>", "EUR", "<b> EUR"],
])("%s %s is written %s", (amount, currency, text) => {
  expect(moneyText(amount, currency, "en")).toBe(text);
});

it("an unknown outcome looks unlike a decline", () => {
  expect(standingOf({ state: "RESOLVING" }).tone).toBe("unknown");
  expect(standingOf({ state: "FINAL", outcome: "DECLINED" }).tone).toBeUndefined();
  expect(standingOf({ state: "FINAL", outcome: "FAILED" }).tone).toBe("bad");
});

it("a card is told by brand and last four digits, as far as they are known", () => {
  expect(cardText({ brand: "VISA", last4: "0119", entryMode: "NFC_ICC" })).toBe("VISA •••• 0119, tapped");
  expect(cardText({ brand: "AMEX", entryMode: "MAGSTRIPE" })).toBe("AMEX, swiped");
});
