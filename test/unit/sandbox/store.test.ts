import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Booking } from "../../../packages/sandbox/gateway/ledger/booking.ts";
import { openSandboxStore } from "../../../packages/sandbox/gateway/ledger/store.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { bench } from "./bench.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sandbox-store-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const booking = (id: string, more: Partial<Booking> = {}): Booking => ({
  id,
  entityId: "e",
  paymentType: "PA",
  testMode: "INTERNAL",
  resultCode: "000.100.110",
  answeredCode: "000.100.110",
  receivedAt: 1,
  parameters: {},
  issuer: {},
  ...more,
});

describe.each([":memory:", "file"])("a store in %s", (kind) => {
  const open = () => openSandboxStore(kind === "file" ? join(folder, "sandbox.db") : kind);

  test("gives back what was put in, in order, by id, by merchantTransactionId, by reference", () => {
    const store = open();
    store.append(booking("a", { merchantTransactionId: "m" }));
    store.append(booking("b", { merchantTransactionId: "m", referencedId: "a", paymentType: "CP" }));
    store.append(booking("c", { referencedId: "b", paymentType: "RF" }));
    expect(store.all().map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(store.byId("b")?.paymentType).toBe("CP");
    expect(store.byId("z")).toBeUndefined();
    expect(store.byMerchantTransactionId("m").map(({ id }) => id)).toEqual(["a", "b"]);
    expect(store.referringTo("b").map(({ id }) => id)).toEqual(["c"]);
    store.close();
  });

  test("refuses a second row with the same id, and a reference to nothing", () => {
    const store = open();
    store.append(booking("a"));
    expect(() => store.append(booking("a"))).toThrow("UNIQUE");
    expect(() => store.append(booking("b", { referencedId: "nowhere" }))).toThrow(
      "nothing in the ledger has the referenced id",
    );
    store.close();
  });

  test("does all of what stands together or nothing", () => {
    const store = open();
    const half = (): void => {
      store.append(booking("a"));
      store.remember("ksn", "1");
      throw new Error("half way");
    };
    expect(() => store.atomically(half)).toThrow("half way");
    expect(store.all()).toEqual([]);
    expect(store.remembered("ksn")).toBeUndefined();
    store.close();
  });
});

test("nobody edits the ledger, not even with SQL", () => {
  const path = join(folder, "sandbox.db");
  const store = openSandboxStore(path);
  store.append(booking("a"));
  const database = new DatabaseSync(path);
  expect(() => database.exec("UPDATE bookings SET booking = '{}'")).toThrow("never edited");
  expect(() => database.exec("DELETE FROM bookings")).toThrow("nothing leaves");
  database.close();
  store.close();
});

test("a sandbox that starts again knows ledger, KSNs, ATCs and PIN tries", async () => {
  const path = join(folder, "sandbox.db");
  const before = bench({ store: openSandboxStore(path) });
  const sale = before.till.sale();
  expect((await before.post("/v1/payments", sale.fields)).code).toBe("000.100.110");
  for (let at = 0; at < 3; at += 1) await before.sell({ card: "mastercard-contact", pin: "9999" });
  const after = bench({ store: openSandboxStore(path), random: seededRandom(8) });
  expect(after.sandbox.ledger()).toHaveLength(4);
  expect((await after.post("/v1/payments", sale.fields)).body.resultDetails?.["ExtendedDescription"]).toContain("KSN");
  expect((await after.post("/v1/payments", before.till.sale({ card: "mastercard-contact" }).fields)).code).toBe(
    "800.100.178",
  );
});

test("what was appended is still there after kill -9", async () => {
  const path = join(folder, "sandbox.db");
  const script = `
    import { openSandboxStore } from ${JSON.stringify(new URL("../../../packages/sandbox/gateway/ledger/store.ts", import.meta.url).href)};
    const store = openSandboxStore(${JSON.stringify(path)});
    const booking = ${JSON.stringify(booking("x"))};
    for (let at = 0; ; at += 1) { store.append({ ...booking, id: String(at) }); process.stdout.write(at + "\\n"); }
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let told = "";
  child.stdout.on("data", (chunk: Buffer) => {
    told += chunk.toString();
    if (told.length > 200) child.kill("SIGKILL");
  });
  await once(child, "close");
  const last = Number(told.trimEnd().split("\n").at(-2));
  const store = openSandboxStore(path);
  expect(last).toBeGreaterThan(10);
  expect(store.byId(String(last))).toBeDefined();
  store.close();
});
