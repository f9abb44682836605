import { describe, expect, test } from "vitest";
import { VISA } from "./accounts-bench.ts";
import { type Answered, type Bench, bench, type Fields } from "./bench.ts";

/* What a payment that the merchant begins has to name of its agreement (specification, "Card on file"). */

const OK = "000.100.110";
const MASTER: Fields = { ...VISA, paymentBrand: "MASTER", "card.number": "5454545454545454" };
const instruction = (mode: string, source: string): Fields => ({
  "standingInstruction.type": "RECURRING",
  "standingInstruction.mode": mode,
  "standingInstruction.source": source,
});
const INITIAL = instruction("INITIAL", "CIT");
const MIT = instruction("REPEATED", "MIT");
const initialOf = (id: string): Fields => ({ "standingInstruction.initialTransactionId": id });
const agreementOf = (id: string): Fields => ({ "standingInstruction.agreementId": id });

const money = { amount: "12.34", currency: "EUR", paymentType: "DB" };

/** A first payment that stores its card: the registration, and what it was told for later ones. */
async function begun(on: Bench, card: Fields, more: Fields = INITIAL) {
  const { body } = await on.send("/v1/payments", money, card, { createRegistration: "true" }, more);
  const { initialTransactionId = "", agreementId = "" } = Object(body["standingInstruction"]);
  return {
    registration: body.registrationId ?? "",
    initial: String(initialTransactionId),
    agreement: String(agreementId),
  };
}

const charge = (on: Bench, registration: string, ...more: readonly Fields[]): Promise<Answered> =>
  on.send(`/v1/registrations/${registration}/payments`, money, MIT, ...more);

const problems = ({ code, body }: Answered) => [
  code,
  body.result.parameterErrors?.map(({ name, message }) => [name, message]),
];
const missing = (name: string) => ["200.300.404", [[`standingInstruction.${name}`, "may not be empty"]]];
const wrong = (name: string) => [
  "200.300.404",
  [[`standingInstruction.${name}`, "must be what the first payment of the agreement was told"]],
];

describe("a payment that the merchant begins under an agreement", () => {
  test("names the first payment, and of Mastercard the agreement too", async () => {
    const on = bench();
    const visa = await begun(on, VISA);
    expect(visa).toMatchObject({ initial: expect.stringMatching(/^[0-9]{15}$/), agreement: "" });
    expect((await charge(on, visa.registration, initialOf(visa.initial))).code).toBe(OK);
    const master = await begun(on, MASTER);
    expect((await charge(on, master.registration, initialOf(master.initial), agreementOf(master.agreement))).code).toBe(
      OK,
    );
  });

  test("is refused by the name of what it leaves out", async () => {
    const on = bench();
    const { registration, initial, agreement } = await begun(on, MASTER);
    expect(problems(await charge(on, registration))).toEqual(missing("initialTransactionId"));
    expect(problems(await charge(on, registration, agreementOf(agreement)))).toEqual(missing("initialTransactionId"));
    expect(problems(await charge(on, registration, initialOf(initial)))).toEqual(missing("agreementId"));
    const token = { registrationId: registration, ...MIT };
    expect(problems(await on.send("/v1/payments", money, token))).toEqual(missing("initialTransactionId"));
    expect(on.sandbox.ledger()).toHaveLength(1);
  });

  test("is refused where it names another one's", async () => {
    const on = bench();
    const [one, other] = [await begun(on, MASTER), await begun(on, MASTER)];
    expect(
      problems(await charge(on, one.registration, initialOf(other.initial), agreementOf(other.agreement))),
    ).toEqual(wrong("initialTransactionId"));
    expect(problems(await charge(on, one.registration, initialOf(one.initial), agreementOf(other.agreement)))).toEqual(
      wrong("agreementId"),
    );
  });

  test("may go on with each agreement that was begun with its card, also by the stored card itself", async () => {
    const on = bench();
    const { registration, initial } = await begun(on, VISA);
    const second = await charge(on, registration, INITIAL);
    const { initialTransactionId } = Object(second.body["standingInstruction"]);
    expect(initialTransactionId).not.toBe(initial);
    for (const id of [initial, String(initialTransactionId)])
      expect((await charge(on, registration, initialOf(id))).code).toBe(OK);
  });

  test("has nothing to name where nothing was told", async () => {
    const on = bench();
    const stored = await begun(on, VISA, {});
    expect((await charge(on, stored.registration)).code).toBe(OK);
    const declined = await charge(on, stored.registration, INITIAL, { amount: "9100.05" });
    expect(declined.code).not.toBe(OK);
    expect((await charge(on, stored.registration)).code).toBe(OK);
  });

  test("needs nothing where the cardholder is there, or money is given", async () => {
    const on = bench();
    const { registration } = await begun(on, VISA);
    expect((await charge(on, registration, { "standingInstruction.source": "CIT" })).code).toBe(OK);
    expect((await charge(on, registration, { paymentType: "CD" })).code).toBe(OK);
  });
});
