import type { Reply } from "../../../packages/sandbox/gateway/exchange.ts";
import type { SandboxSetup } from "../../../packages/sandbox/gateway/sandbox.ts";
import { type Answered, answered, type Bench, bench } from "./bench.ts";
import { ENTITY, formOf } from "./simulated-till.ts";

export type Fields = Readonly<Record<string, string>>;

export const SALE: Fields = { amount: "12.34", currency: "EUR", paymentType: "DB" };
export const CARD: Fields = {
  ...{
    paymentBrand: "VISA",
    "card.number": "4200000000000000",
    "card.expiryMonth": "12",
    "card.expiryYear": "2034",
    "card.holder": "Jane Jones",
    "card.cvv": "123",
  },
};
export const RESULT_URL = "https://shop.example/result?order=7";

/** What a browser says of itself, and what it may be shown. */
const BROWSER = {
  "content-type": "application/x-www-form-urlencoded",
  accept: "text/html,application/xhtml+xml,*/*;q=0.8",
  origin: "null",
};
const PROGRAM = { "content-type": "application/x-www-form-urlencoded", accept: "*/*" };

export interface CheckoutBench extends Bench {
  /** POST /v1/checkouts; a sale unless said. */
  create(fields?: Fields): Promise<Answered>;
  /** The id of a new checkout. */
  checkout(fields?: Fields): Promise<string>;
  update(id: string, fields: Fields): Promise<Answered>;
  /** What the hosted form submits, by a program that wants to know what came of it. */
  submit(id: string, fields?: Fields, kind?: string): Promise<Answered>;
  /** The same by a browser. */
  visit(id: string, fields?: Fields, kind?: string): Promise<Reply>;
  status(id: string, kind?: string): Promise<Answered>;
  minutes(count: number): Promise<void>;
}

export function checkoutBench(setup: Partial<SandboxSetup> = {}): CheckoutBench {
  const of = bench(setup);
  const create: CheckoutBench["create"] = (fields = SALE) => of.send("/v1/checkouts", fields);
  const send = (id: string, fields: Fields, kind: string, headers: Fields) =>
    of.raw(
      "POST",
      `/v1/checkouts/${id}/${kind}`,
      formOf(Object.entries({ shopperResultUrl: RESULT_URL, ...fields })),
      headers,
    );
  return {
    ...of,
    create,
    checkout: async (fields) => (await create(fields)).body.id ?? "",
    update: (id, fields) => of.send(`/v1/checkouts/${id}`, fields),
    submit: async (id, fields = CARD, kind = "payment") => answered(await send(id, fields, kind, PROGRAM)),
    async visit(id, fields = CARD, kind = "payment") {
      const handled = await send(id, fields, kind, BROWSER);
      if (handled.is !== "reply") throw new Error("the connection was cut");
      return handled;
    },
    status: (id, kind = "payment") => of.get(`/v1/checkouts/${id}/${kind}?entityId=${ENTITY}`),
    minutes: (count) => of.clock.advance(count * 60_000),
  };
}
