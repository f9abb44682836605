import { z } from "zod";
import { LIMITS } from "../../../src/register/rpc/limits.ts";
import { type Exchange, type Json, type Line, openLine } from "./exchange.ts";
import { type Shop, saleOf } from "./shop-day.ts";

const FOREIGN = "8ac7a4a18f2b6cd1018f2b8a3c5e0f41";

/** The refusals of the shop in which the methods were played. It is stopped afterwards. */
export async function recordErrors({ shop, till, technician, settled }: Shop): Promise<ReadonlyMap<string, Exchange>> {
  const kept = new Map<string, Exchange>();
  const keep = async (code: string, line: Line, method: string, params?: Json): Promise<void> => {
    kept.set(code, await line.ask(method, params));
  };
  await keep("unauthorized", openLine(shop), "payment.get", { reference: "2026-01-15/0001" });
  await keep("forbidden", technician, "payment.start", saleOf("2026-01-15/0010", "10.00"));
  await keep("unknown-method", till, "payment.repeat", {});
  await keep("invalid-params", till, "payment.get", { reference: "2026-01-15/0001", verbose: true });
  await keep("unknown-terminal", till, "payment.start", { ...saleOf("2026-01-15/0010", "10.00"), terminal: "till-9" });
  await keep("reference-reused", till, "payment.start", saleOf("2026-01-15/0001", "10.00"));
  await keep("not-found", till, "payment.get", { reference: "2026-01-15/9999" });
  await keep("not-allowed", till, "payment.refund", { of: "2026-01-15/0006", reference: "2026-01-15/0011" });
  await keep("invalid-amount", till, "payment.start", saleOf("2026-01-15/0010", "12"));
  await keep("unsupported", till, "payment.start", { ...saleOf("2026-01-15/0010", "10.000"), currency: "KWD" });
  await keep("card-number-in-text", till, "payment.start", {
    ...saleOf("2026-01-15/0010", "10.00"),
    cashier: "4200000000000000",
  });
  await shop.terminal.customerActs(false);
  await till.ask("payment.start", { ...saleOf("2026-01-15/0012", "10.00"), order: "table 9" });
  await keep("terminal-busy", till, "payment.start", { ...saleOf("2026-01-15/0013", "4.00"), queue: false });
  await keep("undecided-payment", till, "payment.start", { ...saleOf("2026-01-15/0014", "10.00"), order: "table 9" });
  const waits = Array.from({ length: LIMITS.inFlight + 1 }, () =>
    till.ask("payment.wait", { reference: "2026-01-15/0012", timeoutMs: 1_000 }),
  );
  const tooMany = (await Promise.all(waits)).at(-1);
  if (tooMany !== undefined) kept.set("too-many-requests", tooMany);
  await till.ask("payment.cancel", { reference: "2026-01-15/0012" });
  await settled("2026-01-15/0012");
  await shop.terminals[1]?.fault("unplug");
  await shop.time.pause(5_000);
  const elsewhere = { ...saleOf("2026-01-15/0015", "10.00"), terminal: "till-2", queue: false };
  await keep("terminal-offline", till, "payment.start", elsewhere);
  const newcomer = openLine(shop);
  await newcomer.granted(z.json(), "session.open", { token: shop.createToken("newcomer") });
  await keep("cursor-gone", newcomer, "events.subscribe", { after: "999999000000000" });
  shop.network.cut(true);
  await keep("gateway-unreached", till, "payment.refund", { of: { gatewayId: FOREIGN }, reference: "2026-01-15/0016" });
  shop.network.cut(false);
  await till.ask("payment.start", saleOf("2026-01-15/0018", "10.00"));
  const stopped = shop.stop();
  await keep("shutting-down", till, "payment.start", saleOf("2026-01-15/0019", "10.00"));
  await stopped;
  return kept;
}
