import { expect } from "vitest";
import { z } from "zod";
import type { Reply } from "../../../packages/sandbox/gateway/exchange.ts";
import { cardFields, type Fields, PLAIN_CARD, type ShopperBench } from "./asynchronous-bench.ts";
import type { Answered } from "./bench.ts";
import { ENTITY } from "./simulated-till.ts";

/** What a shop asks a link for. */
export const SALE = {
  entityId: ENTITY,
  amount: "12.34",
  currency: "EUR",
  paymentType: "DB",
  merchantTransactionId: "order-2026-0001",
  "merchant.name": "Corner Shop",
};

const linkSchema = z.object({
  id: z.string(),
  status: z.string(),
  creationDate: z.string(),
  validUntil: z.string(),
  checkoutId: z.string().optional(),
  transactionId: z.string().optional(),
  result: z.object({ code: z.string() }),
});
type Link = z.infer<typeof linkSchema>;

/** A link for the sale; what is empty is not sent. */
export const create = (own: ShopperBench, fields: Fields = {}): Promise<Answered> =>
  own.post(
    "/paybylink/v1",
    Object.entries({ ...SALE, ...fields }).filter(([, value]) => value !== ""),
  );
/** Where its customer opens it. */
export const pathOf = ({ body }: Answered): string => new URL(z.string().parse(body["link"])).pathname;

/** How it stands, as its merchant reads it. */
export async function read(own: ShopperBench, id: string | undefined): Promise<Link> {
  const answered = await own.get(`/paybylink/v1/${id}?entityId=${ENTITY}`);
  expect(answered).toMatchObject({ status: 200, code: "000.000.100" });
  const [link] = z.array(linkSchema).length(1).parse(answered.body["paymentLinks"]);
  if (link === undefined) throw new Error("no link");
  return link;
}

/** The customer opens the link, types his card in and presses the button. */
export async function payBy(
  own: ShopperBench,
  made: Answered,
  fields: Fields = cardFields(PLAIN_CARD),
): Promise<Reply> {
  await own.open(pathOf(made));
  return own.submit(pathOf(made), fields);
}
