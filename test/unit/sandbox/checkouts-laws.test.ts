import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runsOf } from "../../support/dose.ts";
import { linesOf, validForm } from "../gateway/parameters/forms.ts";
import { sendable } from "../gateway/parameters/table.ts";
import { answered } from "./bench.ts";
import { CARD, checkoutBench, SALE } from "./checkouts-bench.ts";
import { formOf } from "./simulated-till.ts";

const NO_SUCH_REGISTRATION = "100.150.200";
const APPROVED = "000.100.110";
const NO_SESSION = "200.300.404";

const form = validForm("checkoutSubmission");
const breakable = linesOf("checkoutSubmission").flatMap((line) =>
  line.invalid.map((value) => [sendable(line.name), value] as const),
);
const PROGRAM = { "content-type": "application/x-www-form-urlencoded" };

describe("whatever a page sends that the specification allows", () => {
  test("is taken, and pays the merchant's price in the merchant's way or nothing", async () => {
    await fc.assert(
      fc.asyncProperty(form, async (sent) => {
        const { checkout, raw, sandbox } = checkoutBench();
        const id = await checkout();
        const { code } = answered(await raw("POST", `/v1/checkouts/${id}/payment`, formOf(sent), PROGRAM));
        expect(code).not.toBe(NO_SESSION);
        if (sent.has("registrationId")) expect(code).toBe(NO_SUCH_REGISTRATION);
        for (const booking of sandbox.ledger())
          expect(booking).toMatchObject({ checkoutId: id, requested: 1234, currency: "EUR", paymentType: "DB" });
      }),
      { numRuns: runsOf(50, 150) },
    );
  });

  test("is refused by the name of the one parameter that is broken, and leaves nothing", async () => {
    await fc.assert(
      fc.asyncProperty(form, fc.nat(), async (sent, which) => {
        const there = breakable.filter(([name]) => sent.has(name));
        const [name, value] = there[which % there.length] ?? [];
        if (name === undefined || value === undefined) return;
        const { checkout, raw, sandbox } = checkoutBench();
        const body = formOf(new Map([...sent, [name, value]]));
        const reply = answered(await raw("POST", `/v1/checkouts/${await checkout()}/payment`, body, PROGRAM));
        expect([
          reply.status,
          reply.code,
          ...new Set(reply.body.result.parameterErrors?.map((problem) => problem.name)),
        ]).toEqual([400, NO_SESSION, name]);
        expect(sandbox.ledger()).toEqual([]);
      }),
      { numRuns: runsOf(50, 150) },
    );
  });
});

/** What can happen to a checkout. */
const steps = fc.array(fc.constantFrom("pay", "decline", "bank", "read", "update", "minute", "lost"), {
  minLength: 1,
  maxLength: 12,
});

describe("whatever happens in whatever order", () => {
  test("a checkout is paid once at most, and nothing is told after that was", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const { checkout, submit, status, update, minutes, fault, sandbox } = checkoutBench();
        const id = await checkout(SALE);
        const told: string[] = [];
        for (const step of taken) {
          if (step === "pay") await submit(id);
          if (step === "decline") await submit(id, { ...CARD, "card.number": "4000000000000002" });
          if (step === "bank") await submit(id, { paymentBrand: "PAYPAL" });
          if (step === "update") await update(id, { merchantMemo: "once more" });
          if (step === "minute") await minutes(1);
          if (step === "lost") {
            await fault({ on: { path: `/v1/checkouts/${id}/payment` }, do: "drop-after" });
            await submit(id).catch(() => "the reply was lost");
          }
          if (step !== "read") continue;
          told.push((await status(id)).code);
        }
        expect(
          sandbox.ledger().filter(({ resultCode, interim }) => interim === undefined && resultCode === APPROVED).length,
        ).toBeLessThanOrEqual(1);
        const paid = told.indexOf(APPROVED);
        if (paid !== -1) expect(told.slice(paid + 1)).toEqual(told.slice(paid + 1).map(() => NO_SESSION));
      }),
      { numRuns: runsOf(33, 100) },
    );
  });
});
