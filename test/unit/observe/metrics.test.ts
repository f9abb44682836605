import { describe, expect, it } from "vitest";
import { createMetrics } from "../../../src/observe/metrics.ts";

describe("the metrics", () => {
  it("count what ended and show what is now", async () => {
    let state = "busy";
    let lost = 0;
    const metrics = createMetrics({
      version: "0.1.0",
      environment: "test",
      terminals: () => [{ id: "till-1", model: "miura-m020", state }],
      registerSockets: () => 3,
      logLinesLost: () => lost,
    });
    metrics.paymentFinished("SALE", "APPROVED");
    metrics.paymentFinished("SALE", "APPROVED");
    metrics.paymentFinished("SALE", "DECLINED");
    metrics.gatewayAnswered("PA", "approved");
    metrics.alarmRaised();
    const first = await metrics.text();
    for (const line of [
      'posbridge_info{version="0.1.0",environment="test"} 1',
      'posbridge_payments_total{type="SALE",outcome="APPROVED"} 2',
      'posbridge_payments_total{type="SALE",outcome="DECLINED"} 1',
      'posbridge_gateway_answers_total{payment_type="PA",answer="approved"} 1',
      "posbridge_alarms_total 1",
      "posbridge_register_sockets 3",
      "posbridge_log_lines_lost_total 0",
      'posbridge_terminal_state{terminal="till-1",model="miura-m020",state="busy"} 1',
      'posbridge_terminal_state{terminal="till-1",model="miura-m020",state="ready"} 0',
    ]) {
      expect(first.split("\n")).toContain(line);
    }
    state = "ready";
    lost = 2;
    const second = await metrics.text();
    expect(second.split("\n")).toContain('posbridge_terminal_state{terminal="till-1",model="miura-m020",state="ready"} 1');
    expect(second.split("\n")).toContain("posbridge_log_lines_lost_total 2");
  });

  it("of two bridges in one process do not mix", async () => {
    const sources = { version: "1", environment: "test", terminals: () => [], registerSockets: () => 0, logLinesLost: () => 0 } as const;
    const one = createMetrics(sources);
    const two = createMetrics(sources);
    one.alarmRaised();
    expect(await two.text()).toContain("posbridge_alarms_total 0");
  });
});
