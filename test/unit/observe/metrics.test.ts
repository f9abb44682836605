import { describe, expect, it } from "vitest";
import { createMetrics } from "../../../src/observe/metrics.ts";

const nothingNow = { version: "1", environment: "test", terminals: () => [], registerSockets: () => 0, logLinesLost: () => 0 } as const;

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

  it("measure how long the steps of a sale take", async () => {
    const metrics = createMetrics(nothingNow);
    metrics.took({ of: "card", entryMode: "ICC", ms: 4_200 });
    metrics.took({ of: "terminal", terminal: "till-1", ms: 700 });
    metrics.took({ of: "gateway", operation: "PA", ms: 300 });
    metrics.took({ of: "gateway", operation: "PA", ms: 46_000 });
    metrics.took({ of: "journal", ms: 4 });
    metrics.took({ of: "payment", type: "SALE", outcome: "APPROVED", ms: 12_000 });
    const lines = (await metrics.text()).split("\n");
    for (const line of [
      'posbridge_card_seconds_bucket{le="2",entry_mode="ICC"} 0',
      'posbridge_card_seconds_bucket{le="5",entry_mode="ICC"} 1',
      'posbridge_terminal_seconds_bucket{le="0.5",terminal="till-1"} 0',
      'posbridge_terminal_seconds_bucket{le="1",terminal="till-1"} 1',
      'posbridge_gateway_seconds_bucket{le="45",operation="PA"} 1',
      'posbridge_gateway_seconds_sum{operation="PA"} 46.3',
      'posbridge_gateway_seconds_count{operation="PA"} 2',
      'posbridge_journal_append_seconds_bucket{le="0.0025"} 0',
      'posbridge_journal_append_seconds_bucket{le="0.005"} 1',
      'posbridge_payment_seconds_bucket{le="15",type="SALE",outcome="APPROVED"} 1',
    ])
      expect(lines).toContain(line);
  });

  it("count links to terminals that were lost, and show the process and its event loop", async () => {
    const metrics = createMetrics(nothingNow);
    metrics.watchProcess();
    metrics.linkLost("till-1");
    const text = await metrics.text();
    expect(text).toContain('posbridge_terminal_link_losses_total{terminal="till-1"} 1');
    for (const name of ["process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds", "process_start_time_seconds"])
      expect(text).toMatch(new RegExp(`^${name} [0-9]`, "m"));
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds [0-9]/m);
  });

  it("of two bridges in one process do not mix", async () => {
    const one = createMetrics(nothingNow);
    const two = createMetrics(nothingNow);
    one.alarmRaised();
    expect(await two.text()).toContain("posbridge_alarms_total 0");
  });
});
