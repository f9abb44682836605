import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { Secret } from "../../../src/kit/secret.ts";
import { createLog } from "../../../src/observe/log.ts";

const now = () => Date.parse("2026-03-01T10:00:00.000Z");

function logTo(tty: boolean, level: "debug" | "info" = "info") {
  const to = new PassThrough();
  return { log: createLog({ to, tty, level, now }), text: () => String(to.read() ?? "") };
}

describe("the log", () => {
  it("writes one JSON line each, with level, time and fields first", () => {
    const { log, text } = logTo(false);
    log.info({ payment: "pay_1" }, "payment accepted");
    expect(text()).toBe(
      '{"level":"info","time":"2026-03-01T10:00:00.000Z","payment":"pay_1","msg":"payment accepted"}\n',
    );
  });

  it("leaves out what is below its level", () => {
    const { log, text } = logTo(false);
    log.debug({}, "nothing to see");
    expect(text()).toBe("");
  });

  it("is readable where a person watches", () => {
    const { log, text } = logTo(true);
    log.warn({ terminal: "till-1" }, "terminal is gone");
    const line = text();
    expect(line).toContain("terminal is gone");
    expect(line).toContain("till-1");
    expect(() => JSON.parse(line)).toThrow(SyntaxError);
  });

  it.each([
    "token",
    "accessToken",
    "authorization",
    "pin",
    "pinBlock",
    "sred",
    "sealed",
    "track2",
    "pan",
    "number",
    "cvv",
  ])("never shows a field called %s, down to four levels", (name) => {
    const secret = "4111111111111111";
    const { log, text } = logTo(false);
    log.error({ [name]: secret, a: { [name]: secret, b: { [name]: secret, c: { [name]: secret } } } }, "failed");
    const line = text();
    expect(line).not.toContain(secret);
    expect(line.match(/\[redacted\]/g)).toHaveLength(4);
  });

  it("shows no secret whatever its field is called", () => {
    const { log, text } = logTo(false);
    log.error({ found: new Secret("sandbox-token") }, "failed");
    expect(text()).toContain('"found":"[secret]"');
  });

  it.each([true, false])("lets no text of others command the terminal that shows it (tty %s)", (tty) => {
    const { log, text } = logTo(tty);
    const hostile = "M020\u001b[2J\u009b2J\u202eDIV\rapproved";
    log.warn({ client: hostile, err: new Error(hostile) }, "session refused");
    const shown = text();
    const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9]{1,2}m`, "g");
    expect(shown.replaceAll(colours, "").replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}]/u);
    expect(shown.match(/2J/g)?.length).toBeGreaterThanOrEqual(4);
  });

  it("tells an error with its message and stack", () => {
    const { log, text } = logTo(false);
    log.error({ err: new Error("disk full") }, "failed");
    expect(JSON.parse(text())).toMatchObject({ err: { message: "disk full", type: "Error" } });
  });
});
