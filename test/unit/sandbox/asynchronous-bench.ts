import { z } from "zod";
import type { Reply } from "../../../packages/sandbox/gateway/exchange.ts";
import type { SandboxSetup } from "../../../packages/sandbox/gateway/sandbox.ts";
import { type Answered, type Bench, bench } from "./bench.ts";
import { ENTITY, formOf } from "./simulated-till.ts";

const redirectSchema = z.object({
  url: z.string(),
  parameters: z.array(z.object({ name: z.string(), value: z.string() })),
});
export type Redirect = z.infer<typeof redirectSchema>;

export type Fields = Readonly<Record<string, string>>;

/** A shop that takes more than cards at a terminal, and its shopper with a browser. */
export interface ShopperBench extends Bench {
  /** POST /v1/payments: 12.34 EUR by iDEAL unless said otherwise. */
  order(fields?: Fields): Promise<Answered>;
  /** By 3D Secure: the holder of the card is asked for a code. */
  orderByCard(fields?: Fields): Promise<Answered>;
  /** The shopper's browser opens an address, with what stands in it. */
  open(path: string): Promise<Reply>;
  /** His browser posts a form. */
  submit(path: string, fields: Fields): Promise<Reply>;
  /** He is sent to the page of a redirect, as a form that the shop's page posts, and says something there. */
  answer(redirect: Redirect, fields?: Fields): Promise<Reply>;
  /** GET /v1/payments/{id}. */
  status(id: string | undefined): Promise<Answered>;
}

export const RESULT_URL = "https://shop.example/result?order=7";
/** A published test number whose holder 3D Secure asks for a code. */
export const CHALLENGED_CARD = "4200000000000042";
/** A published test number that is approved without any question. */
export const PLAIN_CARD = "4200000000000000";

export function shopperBench(setup: Partial<SandboxSetup> = {}): ShopperBench {
  const own = bench(setup);
  const submit: ShopperBench["submit"] = async (path, fields) =>
    replyOf(
      await own.raw("POST", path, formOf(Object.entries(fields)), {
        "content-type": "application/x-www-form-urlencoded",
        origin: "https://shop.example",
      }),
    );
  const order: ShopperBench["order"] = (fields = {}) => {
    const usual = {
      entityId: ENTITY,
      amount: "12.34",
      currency: "EUR",
      paymentType: "DB",
      paymentBrand: "IDEAL",
      shopperResultUrl: RESULT_URL,
    };
    return own.post("/v1/payments", Object.entries({ ...usual, ...fields }));
  };
  return {
    ...own,
    order,
    orderByCard: (fields = {}) => order({ paymentBrand: "VISA", ...cardFields(CHALLENGED_CARD), ...fields }),
    open: async (path) => replyOf(await own.raw("GET", path, "", { accept: "text/html" })),
    submit,
    answer: ({ url, parameters }, fields = {}) =>
      submit(pathOf(url), { ...Object.fromEntries(parameters.map(({ name, value }) => [name, value])), ...fields }),
    status: (id) => own.get(`/v1/payments/${id}?entityId=${ENTITY}`),
  };
}

export function cardFields(number: string): Fields {
  return {
    "card.number": number,
    "card.holder": "Ada Lovelace",
    "card.expiryMonth": "11",
    "card.expiryYear": "2030",
    "card.cvv": "123",
  };
}

/** What the reply to a payment that waits for its shopper says about where he is sent. */
export function redirectOf({ body }: Pick<Answered, "body">): Redirect {
  return redirectSchema.parse(body["redirect"]);
}

/** The same as an address with everything in it, for a shop that sends him by a link. */
export function linkOf({ url, parameters }: Redirect): string {
  return `${pathOf(url)}?${new URLSearchParams(Object.fromEntries(parameters.map(({ name, value }) => [name, value])))}`;
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}

function replyOf(handled: Awaited<ReturnType<Bench["raw"]>>): Reply {
  if (handled.is !== "reply") throw new Error("the connection was cut");
  return handled;
}
