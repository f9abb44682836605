import { describe, expect, it } from "vitest";
import { ledgerLines } from "../../../../src/web/terminal/ledger-words.ts";
import type { Asked, Booking } from "../../../../src/web/terminal/sandbox-schema.ts";

const PA: Booking = {
  id: "a1",
  paymentType: "PA",
  amount: "12.34",
  currency: "EUR",
  merchantTransactionId: "one",
  resultCode: "000.100.110",
  resultText: "Request successfully processed",
  receivedAt: "2026-11-23T10:00:00.000Z",
};
const asked = (of: Partial<Asked>): Asked => ({
  n: 1,
  at: PA.receivedAt,
  method: "POST",
  path: "/v1/payments",
  faults: [],
  ...of,
});
const POSTED = asked({
  paymentType: "PA",
  merchantTransactionId: "one",
  amount: "12.34",
  currency: "EUR",
  status: 200,
  resultCode: "000.100.110",
});

describe("the gateway's book", () => {
  it("shows a booking once, with what became of its reply", () => {
    const { status: _, resultCode: __, ...cut } = POSTED;
    const [line, ...rest] = ledgerLines([PA], [{ ...cut, faults: ["drop-after"] }]);
    expect(rest).toEqual([]);
    expect(line).toMatchObject({ is: "booking", tone: "good", text: "Booked.", marks: ["Reply lost"] });
    expect(line?.title).toMatch(/^Reservation of .*12[.,]34/);
  });

  it("is newest first, and a booking names what it belongs to", () => {
    const capture: Booking = {
      ...PA,
      id: "a2",
      paymentType: "CP",
      merchantTransactionId: "two",
      referencedId: "a1",
      receivedAt: "2026-11-23T10:00:01.000Z",
    };
    const lines = ledgerLines([PA, capture], [POSTED]);
    expect(lines.map(({ key }) => key)).toEqual(["a2", "a1"]);
    expect(lines[0]?.text).toMatch(/^Booked\. Of the reservation of .*12[.,]34/);
  });

  it.each<[string, Partial<Asked>, Partial<ReturnType<typeof ledgerLines>[number]>]>([
    [
      "a query that finds nothing",
      { method: "GET", status: 404, resultCode: "700.400.580", resultText: "cannot find transaction" },
      { title: "The bridge asks what was booked.", text: "Nothing found." },
    ],
    [
      "a query that finds something",
      { method: "GET", status: 200, resultCode: "000.000.100" },
      { text: "Found.", tone: undefined },
    ],
    [
      "a request that was cut before it was booked",
      { paymentType: "PA", faults: ["drop-before"] },
      { text: "The connection was cut; nothing was booked.", tone: "unknown" },
    ],
    [
      "a throttled one",
      { method: "GET", status: 400, faults: ["throttle"], resultCode: "800.120.100" },
      { text: "Refused: too many requests.", marks: ["Throttled"] },
    ],
    [
      "a refused one",
      { paymentType: "PA", status: 400, resultCode: "200.300.404", resultText: "invalid or missing parameter" },
      { text: "Refused: invalid or missing parameter." },
    ],
  ])("tells of %s", (_what, request, expected) => {
    expect(ledgerLines([], [asked(request)])).toMatchObject([{ is: "request", ...expected }]);
  });

  it("says once that a payment was declined", () => {
    const [line] = ledgerLines([{ ...PA, resultCode: "800.100.166", resultText: "Declined: PIN wrong" }], []);
    expect(`${line?.title} ${line?.text}`).toMatch(/^Reservation of [^ ]*12[.,]34[^ ]*\. Declined: PIN wrong\.$/);
  });

  it("calls a decline by its reason, and says what is hidden", () => {
    const declined = {
      ...PA,
      resultCode: "800.100.155",
      resultText: "transaction declined (amount exceeds credit)",
      hiddenUntil: "2026-11-23T10:00:20.000Z",
    };
    const [line] = ledgerLines([declined], []);
    expect(line).toMatchObject({
      tone: "bad",
      text: "Declined: transaction declined (amount exceeds credit).",
      marks: ["Hidden from queries"],
    });
  });
});
