import { z } from "zod";
import { openStoryShop, type StoryShop } from "../../stories/shop.ts";
import { recordErrors } from "./error-exchanges.ts";
import { type Exchange, type Frame, type Json, openLine } from "./exchange.ts";
import { EUR, paymentSchema, type Shop, saleOf } from "./shop-day.ts";
import { recordStaged } from "./staged-exchanges.ts";

/** Real exchanges by method and by error, and real notifications by name. */
export interface Recorded {
  readonly methods: ReadonlyMap<string, Exchange>;
  readonly errors: ReadonlyMap<string, Exchange>;
  readonly notifications: ReadonlyMap<string, Json>;
}

const cursorSchema = z.object({ cursor: z.string() });
const TILL_SCOPES = ["payments", "refunds", "unlinked-refunds", "stored-cards", "foreign-bookings"];

/**
 * Plays a day of a shop: the sandbox, a simulated Miura and its customer, on a simulated clock. What that shop cannot
 * have, such as a broken disk, is recorded from an engine with a scripted terminal.
 */
export async function recordExchanges(): Promise<Recorded> {
  const timeouts = { cardMs: 60_000, pinMs: 60_000, unknownWindowMs: 1_800_000 };
  const shop = await openStoryShop({ automatic: true, terminals: 2, spares: ["miura-m020", "miura-m020"], timeouts });
  try {
    return await recordIn(shop);
  } finally {
    await shop.close();
  }
}

async function recordIn(shop: StoryShop): Promise<Recorded> {
  const token = shop.createToken("till", TILL_SCOPES);
  const first = openLine(shop);
  const { cursor } = await first.granted(cursorSchema, "session.open", { token });
  const till = openLine(shop);
  const technician = openLine(shop);
  await technician.granted(z.json(), "session.open", { token: shop.createToken("workshop", ["technician"]) });
  const kept = new Map<string, Exchange>();
  const keep: Shop["keep"] = async (line, method, params) => {
    kept.set(method, await line.ask(method, params));
  };
  const settled: Shop["settled"] = async (reference) => {
    await till.until(`the end of ${reference}`, (frame) => isSettled(frame, reference));
    await shop.time.pause(2_000);
    return (await till.granted(paymentSchema, "payment.get", { reference })).payment;
  };
  const client = { name: "my till", version: "1.0" };
  await keep(till, "session.open", { token, api: 1, after: cursor, client });
  await keep(till, "session.ping");
  await keep(till, "events.subscribe", { after: cursor });
  const on: Shop = { shop, till, technician, kept, keep, settled };
  await sales(on);
  await reservations(on);
  await linksAndStoredCards(on);
  await questions(on);
  await terminals(on);
  await technicians(on);
  const final = till.heard.find((frame) => isSettled(frame, "2026-01-15/0001"));
  const traced = technician.heard.find(
    ({ method, params }) => method === "terminal.traced" && params?.["tags"] !== undefined,
  );
  const notifications = [...till.heard.slice(0, 1), final, traced].flatMap((frame) =>
    frame?.method === undefined ? [] : [[frame.method, frame.raw] as const],
  );
  const staged = await recordStaged();
  const errors = await recordErrors(on);
  return {
    methods: new Map([...kept, ...staged.methods]),
    errors: new Map([...errors, ...staged.errors]),
    notifications: new Map([...notifications, ...staged.notifications]),
  };
}

function isSettled({ params }: Frame, reference: string): boolean {
  const payment = params?.payment;
  return payment?.reference === reference && payment["state"] === "FINAL" && payment["capture"] !== "pending";
}

/** A sale, its receipt, a refund of a part, a void, a signature and a cancel. */
async function sales({ shop, till, keep, settled }: Shop): Promise<void> {
  const more = {
    tip: "1.00",
    entryModes: ["chip", "contactless"],
    order: "table 4",
    cashier: "Jo",
    expiresInMs: 120_000,
  };
  await keep(till, "payment.start", { ...saleOf("2026-01-15/0001", "12.34"), ...more });
  await keep(till, "payment.wait", { reference: "2026-01-15/0001", until: "final", timeoutMs: 60_000 });
  const { id } = await settled("2026-01-15/0001");
  await keep(till, "payment.get", { id });
  await keep(till, "payment.receipt", {
    reference: "2026-01-15/0001",
    copy: "customer",
    format: "text",
    columns: 32,
    language: "en",
  });
  await keep(till, "payment.refund", {
    of: "2026-01-15/0001",
    reference: "2026-01-15/0002",
    amount: "5.00",
    cashier: "Jo",
  });
  await settled("2026-01-15/0002");
  await till.ask("payment.start", saleOf("2026-01-15/0003", "8.50"));
  await settled("2026-01-15/0003");
  await keep(till, "payment.void", { of: "2026-01-15/0003", reference: "2026-01-15/0004" });
  await settled("2026-01-15/0004");
  await shop.terminal.customerHas("signature");
  await till.ask("payment.start", saleOf("2026-01-15/0005", "45.00"));
  await till.until("the prompt SIGN", ({ params }) =>
    JSON.stringify(params?.payment?.["prompt"] ?? "").includes("SIGN"),
  );
  await keep(till, "payment.confirmSignature", { reference: "2026-01-15/0005", accepted: true });
  await settled("2026-01-15/0005");
  await shop.terminal.customerActs(false);
  await till.ask("payment.start", saleOf("2026-01-15/0006", "9.99"));
  await till.until(
    "a card is asked for",
    ({ params }) => params?.payment?.reference === "2026-01-15/0006" && params.payment["prompt"] !== undefined,
  );
  await keep(till, "payment.cancel", { reference: "2026-01-15/0006" });
  await settled("2026-01-15/0006");
  await shop.terminal.customerHas("visa-contact");
  await shop.terminal.customerActs(true);
}

async function reservations({ till, keep, settled }: Shop): Promise<void> {
  await till.ask("payment.start", { ...saleOf("room-12", "100.00"), type: "PREAUTHORIZATION", numberOfCaptures: 2 });
  await settled("room-12");
  await keep(till, "payment.increment", { of: "room-12", reference: "room-12/plus-1", amount: "20.00" });
  await settled("room-12/plus-1");
  await keep(till, "payment.capture", { of: { reference: "room-12" }, reference: "room-12/bill-1", amount: "70.00" });
  await settled("room-12/bill-1");
}

async function linksAndStoredCards({ till, keep, settled }: Shop): Promise<void> {
  await keep(till, "link.create", {
    reference: "table-4",
    currency: EUR,
    amount: "36.00",
    validForMs: 600_000,
    description: "Table 4",
  });
  await till.ask("payment.start", {
    reference: "member-7",
    type: "REGISTRATION",
    terminal: "till-1",
    currency: EUR,
    queue: true,
  });
  const { gateway } = await settled("member-7");
  const registration = gateway?.registrationId;
  if (registration === undefined) throw new Error("no card was stored");
  const standingInstruction = { type: "RECURRING", mode: "INITIAL", source: "CIT" };
  await keep(till, "registration.pay", {
    registration,
    reference: "member-7/march",
    currency: EUR,
    amount: "19.00",
    standingInstruction,
  });
  await settled("member-7/march");
  await till.ask("payment.start", {
    reference: "member-8",
    type: "REGISTRATION",
    terminal: "till-1",
    currency: EUR,
    queue: true,
  });
  const other = (await settled("member-8")).gateway?.registrationId ?? registration;
  await keep(till, "registration.delete", { registration: other, reference: "member-8/bye" });
}

async function questions({ till, keep }: Shop): Promise<void> {
  await keep(till, "payment.list", { limit: 1, outcome: "CANCELLED", terminal: "till-1" });
  await keep(till, "totals.get", { from: "2026-01-15T00:00:00.000Z", to: "2026-01-16T00:00:00.000Z" });
  await keep(till, "terminals.list");
  await keep(till, "terminals.test", { terminal: "till-1" });
}

async function terminals({ technician, keep }: Shop): Promise<void> {
  await keep(technician, "terminals.models");
  await keep(technician, "terminals.pair", {
    id: "bar",
    model: "miura-m020",
    connection: { serial: "/dev/till-3" },
    terminalId: "12345679",
    deviceType: "MIURA_M020",
    label: "Bar, left",
  });
  await keep(technician, "terminals.rename", { terminal: "bar", label: "Bar, right" });
  await keep(technician, "terminals.replace", { terminal: "bar", connection: { serial: "/dev/till-4" } });
  await keep(technician, "terminals.unpair", { terminal: "bar" });
  await keep(technician, "terminals.trace", { terminal: "till-1" });
  await technician.ask("terminals.test", { terminal: "till-1" });
  await keep(technician, "terminals.untrace", { terminal: "till-1" });
}

async function technicians({ technician, keep }: Shop): Promise<void> {
  await keep(technician, "bridge.log", { limit: 2 });
  await keep(technician, "bridge.supportBundle");
}
