import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { simulators } from "../../drivers/simulators.ts";
import { openSandboxStore } from "../../packages/sandbox/gateway/ledger/store.ts";
import { createSandbox } from "../../packages/sandbox/gateway/sandbox.ts";
import { serveSandbox } from "../../packages/sandbox/gateway/server.ts";
import { connectRegister } from "../../src/client/client.ts";
import { systemClock } from "../../src/kit/system-clock.ts";
import { systemRandom } from "../../src/kit/system-random.ts";
import { startInProcess } from "../../src/simulator/in-process.ts";
import { openBareTill } from "./bare-till.ts";
import { openBridgeAt } from "./bridge.ts";

/*
 * npm run bench [-- SALES]: what the bridge adds to a sale. Both sides sell through the same simulated terminal on a
 * pseudo-terminal and the same sandbox over HTTP; the
 * customer takes the same time in every sale. A bare script says the frames and posts the forms, and that is all; the
 * bridge journals every step, and a register starts
 * each sale over a WebSocket and waits until it is final.
 */
const ENTITY = "8a8294174b7ecb28014b9699220015ca";
const TOKEN = "sandbox-token";

/**
 * The pace of the simulated customer hangs on single random bytes: always the quickest one, so that sales can be
 * compared.
 */
const steadyCustomer = { bytes: (count: number) => (count === 1 ? Uint8Array.of(0) : systemRandom.bytes(count)) };

export async function measureSales(sales: number): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-bench-"));
  const store = openSandboxStore(":memory:");
  const sandbox = createSandbox({
    clock: systemClock,
    random: systemRandom,
    store,
    entities: [{ entityId: ENTITY, token: TOKEN }],
  });
  const server = await serveSandbox(sandbox, 0, (problem) => process.stderr.write(`${problem}\n`));
  const [simulator] = simulators;
  if (simulator === undefined) throw new Error("no simulator");
  const line = startInProcess(simulator, path.join(folder, "till-1.tty"), {
    clock: systemClock,
    random: steadyCustomer,
    automatic: { card: "visa-contact" },
  });

  const bare = await openBareTill(line.path, new URL(server.url), TOKEN, ENTITY);
  const bareTimes: number[] = [];
  for (let sale = 0; sale <= sales; sale += 1) bareTimes.push(await bare.sell(1000 + sale));
  await bare.close();

  const bridge = await openBridgeAt(folder, {
    gatewayUrl: server.url,
    entityId: ENTITY,
    gatewayToken: TOKEN,
    serial: line.path,
  });
  const register = await connectRegister({ url: bridge.url, token: bridge.token, after: undefined });
  while ((await register.terminals())[0]?.state !== "ready")
    await new Promise((resolve) => systemClock.after(20, () => resolve(undefined)));
  const bridgeTimes: number[] = [];
  for (let sale = 0; sale <= sales; sale += 1) bridgeTimes.push(await sellThroughBridge(sale));
  register.close();
  await bridge.close();
  line.close();
  await server.close();
  fs.rmSync(folder, { recursive: true });

  const [withBridge, withoutBridge] = [median(bridgeTimes), median(bareTimes)];
  process.stdout.write(
    [
      `one sale, from the register's request to its final state, median of ${sales}`,
      `${"bare script".padEnd(16)}${withoutBridge.toFixed(1).padStart(8)} ms`,
      `${"bridge".padEnd(16)}${withBridge.toFixed(1).padStart(8)} ms`,
      `${"the bridge adds".padEnd(16)}${(withBridge - withoutBridge).toFixed(1).padStart(8)} ms`,
      "",
    ].join("\n"),
  );
  async function sellThroughBridge(sale: number): Promise<number> {
    const reference = `bench-${sale}`;
    const started = systemClock.monotonic();
    await register.startPayment({
      reference,
      type: "SALE",
      terminal: "till-1",
      currency: "EUR",
      amount: `20.${String(sale % 100).padStart(2, "0")}`,
    });
    const payment = await register.waitPayment({ reference });
    const taken = systemClock.monotonic() - started;
    if (payment.outcome !== "APPROVED")
      throw new Error(`sale ${reference} ended ${payment.outcome}: ${payment.reason?.message}`);
    while ((await register.terminals())[0]?.state !== "ready")
      await new Promise((resolve) => systemClock.after(5, () => resolve(undefined)));
    return taken;
  }
}

/** The first sale of each side warms up and does not count. */
function median(times: readonly number[]): number {
  const counted = times.slice(1).sort((a, b) => a - b);
  return counted[Math.floor(counted.length / 2)] ?? Number.NaN;
}
