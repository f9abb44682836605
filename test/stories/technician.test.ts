import { afterAll, beforeAll, expect, it } from "vitest";
import { connectRegister } from "../../src/client/client.ts";
import { readTraced, type TechnicianClient, type Traced, technicianOf } from "../../src/client/technician.ts";
import { cardOut, sell, terminalReady, untilHostIsAsked } from "../scenarios/sale.ts";
import type { Till } from "../scenarios/till.ts";
import { openStoryShop, type StoryShop } from "./shop.ts";

/** A technician's own session, and what its trace was told. */
interface Workshop {
  readonly technician: TechnicianClient;
  readonly traced: readonly Traced[];
}

let shop: StoryShop;
let till: Till;

beforeAll(async () => {
  shop = await openStoryShop({ terminals: 2 });
  till = await shop.till();
});
afterAll(() => shop.close());

async function openWorkshop(): Promise<Workshop> {
  const traced: Traced[] = [];
  const onNotification = (method: string, params: unknown): void => {
    const frame = readTraced(method, params);
    if (frame !== undefined) traced.push(frame);
  };
  const token = shop.createToken(`workshop-${shop.time.clock.now()}`, ["technician"]);
  const client = await shop.time.during(
    connectRegister({
      url: shop.url(),
      token,
      after: undefined,
      onNotification,
      openSocket: shop.openSocket,
      clock: shop.time.clock,
    }),
  );
  return { technician: technicianOf(client), traced };
}

it("checks find the gateway, its clock and its word on the token, and say what is wrong with a terminal", async () => {
  const { technician } = await openWorkshop();
  await shop.terminal.fault("unplug");
  await shop.bridge().line(/"terminal":"till-1".*(offline|lost)/);
  const checks = await technician.checks();
  const state = (name: string) => checks.find((one) => one.name === name)?.state;
  expect(["runtime", "data-folder", "journal", "gateway", "gateway-credentials"].map(state)).toEqual([
    "ok",
    "ok",
    "ok",
    "ok",
    "ok",
  ]);
  expect(checks.find(({ name }) => name === `terminal ${shop.terminal.id}`)).toMatchObject({
    state: "fail",
    fix: expect.stringContaining("connected"),
  });
  await shop.terminal.fault("plug");
  await terminalReady(till, shop.terminal);
});

it("a sale whose reply was lost is told step by step, with who acts and how long each took", async () => {
  const { technician } = await openWorkshop();
  await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "drop-after" });
  await sell({ till, terminal: shop.terminal, reference: "reply lost" });
  const { payment, steps, open } = await technician.timeline({ reference: "reply lost" });
  expect([payment.state, open]).toEqual(["FINAL", undefined]);
  expect(steps.map(({ track, code, tookMs, text }) => [track, code, tookMs !== undefined, text])).toEqual([
    ["register", "accepted", false, "Register register-1 asked for a SALE of 12.34 EUR."],
    ["terminal", "collecting", false, `A card is asked for at terminal ${shop.terminal.id}.`],
    ["card", "card-presented", true, "A VISA card was inserted, and a PIN was typed. It wants to ask its bank."],
    ["gateway", "attempt-intended", false, "The bridge sends the reservation (PA) of 12.34 EUR to the gateway."],
    [
      "gateway",
      "attempt-answered",
      true,
      "No clear answer to the reservation (PA) of 12.34 EUR came: what became of it is not known.",
    ],
    [
      "gateway",
      "attempt-searched",
      false,
      "The bridge queried the gateway for the reservation (PA) of 12.34 EUR: PA approved.",
    ],
    ["terminal", "issuer-told", true, "The card gets the answer: approved."],
    ["card", "card-finished", true, "The card agreed."],
    ["journal", "concluded", true, "The payment is final: APPROVED, 12.34 EUR."],
    ["gateway", "attempt-intended", false, "The bridge sends the capture (CP) of 12.34 EUR to the gateway."],
    [
      ...["gateway", "attempt-answered", true],
      expect.stringMatching(
        /^The gateway approved the capture \(CP\) of 12\.34 EUR \(code 000\.100\.110, id [0-9a-f]{32}\)\.$/,
      ),
    ],
    ["terminal", "released", false, `The payment gives terminal ${shop.terminal.id} back.`],
  ]);
  const times = steps.map(({ at }) => Date.parse(at));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

it("an open payment tells why it is open, what comes next and when, and when an operator may close it", async () => {
  const { technician } = await openWorkshop();
  const [, terminal = shop.terminal] = shop.terminals;
  await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "drop-before" });
  await untilHostIsAsked({ till, terminal, reference: "nothing heard" });
  await shop.sandbox.faultsUsed();
  await shop.time.pause(1_000);
  const open = await technician.openPayments();
  expect(open.map(({ reference, register }) => [reference, register])).toEqual([["nothing heard", "register-1"]]);
  const timeline = await technician.timeline({ reference: "nothing heard", register: "register-1" });
  expect(timeline.open).toMatchObject({ why: "It waits for the gateway's answer.", resolvable: false });
  expect(timeline.open?.next?.what).toBe("The gateway is queried for the reservation (PA) of 12.34 EUR.");
  const now = shop.time.clock.now();
  expect(Date.parse(timeline.open?.next?.at ?? "")).toBeGreaterThan(now);
  await till.until("nothing heard", "final", ({ state }) => state === "FINAL", 600_000);
  const after = (await technician.timeline({ reference: "nothing heard" })).open;
  expect(after).toMatchObject({
    why: expect.stringContaining("Nobody waits for it: late bookings are looked for until three days have passed."),
    resolvable: false,
  });
  expect(Date.parse(after?.next?.at ?? "") - now).toBeGreaterThan(3_500_000);
  await cardOut({ till, terminal });
});
