import { describe, expect, it } from "vitest";
import { createMetrics } from "../../../src/observe/metrics.ts";
import type { StorageSizes } from "../../../src/observe/metrics-now.ts";

const nothingNow = {
  version: "1",
  environment: "test",
  terminals: () => [],
  registerSockets: () => 0,
  logLinesLost: () => 0,
} as const;

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
    expect(second.split("\n")).toContain(
      'posbridge_terminal_state{terminal="till-1",model="miura-m020",state="ready"} 1',
    );
    expect(second.split("\n")).toContain("posbridge_log_lines_lost_total 2");
  });

  it("measure how long the steps of a sale take", async () => {
    const metrics = createMetrics(nothingNow);
    metrics.took({ of: "card", entryMode: "ICC", ms: 4_200 });
    metrics.took({ of: "terminal", terminal: "till-1", ms: 700 });
    metrics.took({ of: "gateway", operation: "PA", ms: 300 });
    metrics.took({ of: "gateway", operation: "PA", ms: 46_000 });
    metrics.took({ of: "journal", ms: 4 });
    metrics.took({ of: "sync", ms: 0.4 });
    metrics.took({ of: "own", type: "SALE", ms: 30 });
    metrics.took({ of: "loop", ms: 120 });
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
      'posbridge_journal_sync_seconds_bucket{le="0.0002"} 0',
      'posbridge_journal_sync_seconds_bucket{le="0.0005"} 1',
      'posbridge_payment_own_seconds_bucket{le="0.025",type="SALE"} 0',
      'posbridge_payment_own_seconds_bucket{le="0.05",type="SALE"} 1',
      'posbridge_event_loop_delay_seconds_bucket{le="0.1"} 0',
      'posbridge_event_loop_delay_seconds_bucket{le="0.25"} 1',
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
    for (const name of [
      "process_cpu_seconds_total",
      "process_resident_memory_bytes",
      "process_open_fds",
      "process_start_time_seconds",
    ])
      expect(text).toMatch(new RegExp(`^${name} [0-9]`, "m"));
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds [0-9]/m);
  });

  it("show a figure for the first time as 0, so that a rate sees the first that is counted", async () => {
    const metrics = createMetrics(nothingNow);
    metrics.linkOpened("till-1");
    const before = (await metrics.text()).split("\n");
    for (const line of [
      'posbridge_gateway_errors_total{error="tls"} 0',
      'posbridge_terminal_reconnects_total{terminal="till-1"} 0',
      'posbridge_terminal_link_losses_total{terminal="till-1"} 0',
      'posbridge_trace_spans_dropped_total{why="full"} 0',
    ])
      expect(before).toContain(line);
    metrics.gatewayFailed("tls");
    metrics.gatewayCoded("configuration");
    metrics.linkLost("till-1");
    metrics.linkOpened("till-1");
    metrics.frameFailed("till-1", "corrupted");
    metrics.spansDropped("full", 7);
    const after = (await metrics.text()).split("\n");
    for (const line of [
      'posbridge_gateway_errors_total{error="tls"} 1',
      'posbridge_gateway_result_codes_total{class="configuration"} 1',
      'posbridge_terminal_reconnects_total{terminal="till-1"} 1',
      'posbridge_terminal_link_losses_total{terminal="till-1"} 1',
      'posbridge_terminal_frame_errors_total{terminal="till-1",error="corrupted"} 1',
      'posbridge_trace_spans_dropped_total{why="full"} 7',
    ])
      expect(after).toContain(line);
  });

  it("show the journal's files, its disk and the certificates as they are when asked, and nothing of what cannot be seen", async () => {
    const metrics = createMetrics(nothingNow);
    let sizes: StorageSizes = { journal: 4096, wal: 8192, diskFree: 1e9, disk: 2e9 };
    metrics.watchStorage(() => sizes);
    metrics.watchCertificates(() => [{ certificate: "listen", validTo: 1_800_000_000_000 }]);
    const seen = (await metrics.text()).split("\n");
    for (const line of [
      'posbridge_journal_file_bytes{file="journal"} 4096',
      'posbridge_journal_file_bytes{file="wal"} 8192',
      "posbridge_disk_free_bytes 1000000000",
      "posbridge_disk_size_bytes 2000000000",
      'posbridge_certificate_expiry_timestamp_seconds{certificate="listen"} 1800000000',
    ])
      expect(seen).toContain(line);
    sizes = {};
    expect(await metrics.text()).not.toMatch(/^posbridge_(?:journal_file_bytes|disk_(?:free|size)_bytes)[ {]/m);
  });

  it("of two bridges in one process do not mix", async () => {
    const one = createMetrics(nothingNow);
    const two = createMetrics(nothingNow);
    one.alarmRaised();
    expect(await two.text()).toContain("posbridge_alarms_total 0");
  });
});
