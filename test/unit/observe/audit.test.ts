import { describe, expect, it } from "vitest";
import { type AuditEvent, createAudit } from "../../../src/observe/audit.ts";
import { createMetrics } from "../../../src/observe/metrics.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const MINUTE = 60_000;

interface Line extends Record<string, unknown> {
  readonly level: string;
  readonly message: string;
}

function openAudit() {
  const clock = createVirtualClock(0);
  const lines: Line[] = [];
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, message, ...fields });
  const metrics = createMetrics({
    version: "1",
    environment: "test",
    terminals: () => [],
    registerSockets: () => 0,
    logLinesLost: () => 0,
  });
  const audit = createAudit({ log: { info: at("info"), warn: at("warn") }, metrics, clock });
  return { clock, lines, audit, figures: async () => (await metrics.text()).split("\n") };
}

const wrongToken = (n: number): AuditEvent => ({ on: "session-refused", from: `192.0.2.7:${n}`, code: "unauthorized" });

describe("the audit", () => {
  it("tells each event with who and from where, marked as its own, and counts it", async () => {
    const { audit, lines, figures } = openAudit();
    audit.note({
      on: "session-opened",
      from: "127.0.0.1:50001",
      register: "till-1",
      scopes: ["payments"],
      client: "shop 1.2",
    });
    audit.note(wrongToken(50_002));
    audit.note({
      on: "call-refused",
      from: "127.0.0.1:50001",
      register: "till-1",
      method: "payment.refund",
      code: "forbidden",
    });
    audit.note({
      on: "call-refused",
      from: "127.0.0.1:50001",
      register: "till-1",
      method: "payment.start",
      code: "terminal-busy",
    });
    audit.note({ on: "request-refused", from: "192.0.2.7:50003", why: "origin", origin: "https://evil.example" });
    audit.note({ on: "socket-ended", from: "127.0.0.1:50001", register: "till-1", why: "revoked" });
    audit.note({ on: "token-created", by: "ada as root", register: "till-2", scopes: ["payments", "refunds"] });
    audit.note({ on: "tokens-revoked", by: "ada as root", register: "till-1", revoked: 2 });
    expect(lines).toEqual([
      {
        level: "info",
        message: "session opened",
        audit: true,
        from: "127.0.0.1:50001",
        register: "till-1",
        scopes: ["payments"],
        client: "shop 1.2",
      },
      { level: "warn", message: "session refused", audit: true, from: "192.0.2.7:50002", code: "unauthorized" },
      {
        level: "warn",
        message: "call refused",
        audit: true,
        from: "127.0.0.1:50001",
        register: "till-1",
        method: "payment.refund",
        code: "forbidden",
      },
      {
        level: "info",
        message: "call refused",
        audit: true,
        from: "127.0.0.1:50001",
        register: "till-1",
        method: "payment.start",
        code: "terminal-busy",
      },
      {
        level: "warn",
        message: "request refused",
        audit: true,
        from: "192.0.2.7:50003",
        why: "origin",
        origin: "https://evil.example",
      },
      {
        level: "info",
        message: "socket ended",
        audit: true,
        from: "127.0.0.1:50001",
        register: "till-1",
        why: "revoked",
      },
      {
        level: "info",
        message: "token created",
        audit: true,
        by: "ada as root",
        register: "till-2",
        scopes: ["payments", "refunds"],
      },
      { level: "info", message: "tokens revoked", audit: true, by: "ada as root", register: "till-1", revoked: 2 },
    ]);
    const counted = await figures();
    for (const line of [
      'posbridge_sessions_total{result="opened"} 1',
      'posbridge_sessions_total{result="unauthorized"} 1',
      'posbridge_calls_refused_total{method="payment.refund",code="forbidden"} 1',
      'posbridge_requests_refused_total{why="origin"} 1',
      'posbridge_sockets_ended_total{why="revoked"} 1',
      'posbridge_token_changes_total{change="created"} 1',
      'posbridge_token_changes_total{change="revoked"} 2',
    ])
      expect(counted).toContain(line);
  });

  it("counts a flood whole, and logs 20 lines of it and two a minute, on however many sockets it comes", async () => {
    const { audit, lines, clock, figures } = openAudit();
    for (let minute = 0; minute < 60; minute += 1) {
      for (let n = 0; n < 1000; n += 1) audit.note(wrongToken(n));
      await clock.advance(MINUTE);
    }
    expect(lines.length).toBeLessThanOrEqual(20 + 2 * 60);
    expect(
      lines.reduce((sum, { unlogged = 0 }) => sum + Number(unlogged), 0) +
        lines.filter(({ unlogged }) => unlogged === undefined).length,
    ).toBe(60_000);
    expect(await figures()).toContain('posbridge_sessions_total{result="unauthorized"} 60000');
  });

  it("tells within a minute how many were left out, when nothing comes any more, and at the end of the bridge", async () => {
    const { audit, lines, clock } = openAudit();
    for (let n = 0; n < 25; n += 1) audit.note(wrongToken(n));
    expect(lines).toHaveLength(20);
    await clock.advance(MINUTE);
    expect(lines.slice(20)).toEqual([
      {
        level: "warn",
        message: "session refused",
        audit: true,
        from: "192.0.2.7:24",
        code: "unauthorized",
        unlogged: 5,
      },
    ]);
    for (let n = 0; n < 3; n += 1) audit.note(wrongToken(n));
    audit.stop();
    expect(lines.at(-1)).toMatchObject({ unlogged: 2 });
    await clock.advance(2 * MINUTE);
    expect(lines).toHaveLength(23);
  });

  it("hides no register behind a stranger's flood, nor one register behind another's, nor a token that is made", () => {
    const { audit, lines } = openAudit();
    const refused = (register?: string): AuditEvent => ({
      on: "call-refused",
      from: "f",
      ...(register && { register }),
      method: "payment.get",
      code: "not-found",
    });
    for (let n = 0; n < 100; n += 1) audit.note(refused());
    for (let n = 0; n < 100; n += 1) audit.note(refused("till-1"));
    for (let n = 0; n < 100; n += 1) audit.note({ on: "token-created", by: "root", register: "till-3", scopes: [] });
    audit.note(refused("till-2"));
    audit.note(wrongToken(1));
    expect(lines.filter(({ register }) => register === "till-2")).toHaveLength(1);
    expect(lines.filter(({ register }) => register === "till-3")).toHaveLength(100);
    expect(lines.filter(({ message }) => message === "session refused")).toHaveLength(1);
    expect(lines).toHaveLength(20 + 20 + 100 + 2);
  });

  it("hides no forbidden page behind a flood of other refused requests, and tells of each reason how many were left out", async () => {
    const { audit, lines, clock } = openAudit();
    for (let n = 0; n < 1000; n += 1) {
      for (const why of ["host", "path", "full", "crowded-out"] as const)
        audit.note({ on: "request-refused", from: `192.0.2.7:${n}`, why });
    }
    const forbidden: AuditEvent = {
      on: "request-refused",
      from: "127.0.0.1:50003",
      why: "origin",
      origin: "https://evil.example",
    };
    audit.note(forbidden);
    expect(lines.at(-1)).toMatchObject({ message: "request refused", why: "origin", origin: "https://evil.example" });
    expect(lines).toHaveLength(4 * 20 + 1);
    await clock.advance(MINUTE);
    expect(lines.slice(81).map(({ why, unlogged }) => [why, unlogged])).toEqual(
      ["host", "path", "full", "crowded-out"].map((why) => [why, 980]),
    );
  });
});
