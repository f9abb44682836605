import { z } from "zod";
import type { Handled } from "../../../packages/sandbox/gateway/exchange.ts";
import { openSandboxStore } from "../../../packages/sandbox/gateway/ledger/store.ts";
import { createSandbox, type Sandbox, type SandboxSetup } from "../../../packages/sandbox/gateway/sandbox.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";
import { ENTITY, formOf, NOW, type SaleOptions, type SimulatedTill, simulatedTill, TOKEN } from "./simulated-till.ts";

/** A reply's body as far as these tests look into it. */
const bodySchema = z.looseObject({
  id: z.string().optional(),
  registrationId: z.string().optional(),
  paymentType: z.string().optional(),
  paymentBrand: z.string().optional(),
  amount: z.string().optional(),
  currency: z.string().optional(),
  descriptor: z.string().optional(),
  referencedId: z.string().optional(),
  customParameters: z.record(z.string(), z.string()).optional(),
  card: z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])).optional(),
  result: z.object({
    code: z.string(),
    description: z.string(),
    parameterErrors: z.array(z.object({ name: z.string(), value: z.string(), message: z.string() })).optional(),
  }),
  resultDetails: z.record(z.string(), z.string()).optional(),
  pos: z
    .looseObject({
      iccDataResponse: z.string().optional(),
      statusText: z.string(),
      timestamp: z.string(),
      clearing: z.record(z.string(), z.string()),
    })
    .optional(),
  payments: z
    .array(
      z.looseObject({
        id: z.string(),
        paymentType: z.string(),
        referencedId: z.string().optional(),
        result: z.object({ code: z.string() }),
      }),
    )
    .optional(),
  timestamp: z.string(),
  buildNumber: z.string(),
  ndc: z.string(),
});
export type Body = z.infer<typeof bodySchema>;

export type Fields = Readonly<Record<string, string | undefined>>;

/** All fields together; the last one counts. */
export function pairsOf(fields: readonly Fields[]): readonly (readonly [string, string])[] {
  const pairs: readonly (readonly [string, string | undefined])[] = fields.flatMap(Object.entries<string | undefined>);
  return [...new Map(pairs)].flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

export interface Answered {
  readonly status: number;
  readonly code: string;
  readonly body: Body;
}

export interface Bench {
  readonly clock: VirtualClock;
  readonly sandbox: Sandbox;
  readonly till: SimulatedTill;
  raw(method: string, path: string, body?: string, headers?: Readonly<Record<string, string>>): Promise<Handled>;
  post(path: string, fields: Iterable<readonly [string, string]>): Promise<Answered>;
  /** A form of this shop's; what is undefined is left out. */
  send(path: string, ...fields: readonly Fields[]): Promise<Answered>;
  get(path: string): Promise<Answered>;
  /** A sale that the test's card and holder make; POST /v1/payments. */
  sell(options?: SaleOptions): Promise<Answered>;
  /** CP, RV, RF and the other kinds on a payment. */
  refer(
    id: string | undefined,
    paymentType: string,
    amount?: string,
    more?: Readonly<Record<string, string>>,
  ): Promise<Answered>;
  /** An increment of a reservation. */
  raise(id: string | undefined, amount: string, more?: Readonly<Record<string, string>>): Promise<Answered>;
  /** A card that is stored without a payment; POST /v1/registrations. */
  register(options?: SaleOptions): Promise<Answered>;
  /** DELETE /v1/registrations/{id}. */
  remove(id: string | undefined): Promise<Answered>;
  query(merchantTransactionId: string, linked?: boolean): Promise<Answered>;
  fault(fault: unknown): Promise<void>;
}

export function bench(setup: Partial<SandboxSetup> = {}): Bench {
  const clock = createVirtualClock(NOW);
  const sandbox = createSandbox({
    clock,
    random: seededRandom(7),
    store: openSandboxStore(":memory:"),
    entities: [{ entityId: ENTITY, token: TOKEN }],
    throttling: false,
    ...setup,
  });
  const till = simulatedTill();
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
  };
  const raw: Bench["raw"] = (method, path, body = "", own = headers) =>
    sandbox.handle({ method, path, headers: own, body });
  const post: Bench["post"] = async (path, fields) => answered(await raw("POST", path, formOf(fields)));
  const get: Bench["get"] = async (path) => answered(await raw("GET", path));
  return {
    ...{ clock, sandbox, till, raw, post, get },
    send: (path, ...fields) => post(path, pairsOf([{ entityId: ENTITY }, ...fields])),
    sell: (options) => post("/v1/payments", till.sale(options).fields),
    refer: (id, paymentType, amount, more = {}) => {
      const money: readonly (readonly [string, string])[] =
        amount === undefined
          ? []
          : [
              ["amount", amount],
              ["currency", "EUR"],
            ];
      return post(
        `/v1/payments/${id}`,
        new Map([["entityId", ENTITY], ["paymentType", paymentType], ...money, ...Object.entries(more)]),
      );
    },
    raise: (id = "", amount, more = {}) => {
      const standing = { type: "UNSCHEDULED", mode: "REPEATED", source: "MIT", industryPractice: "INCREMENTAL_AUTH" };
      const instruction = Object.entries(standing).map(
        ([name, value]) => [`standingInstruction.${name}`, value] as const,
      );
      const own = { entityId: ENTITY, amount, currency: "EUR", paymentType: "PA", referenceUuid: id };
      return post("/v1/payments", new Map([...Object.entries(own), ...instruction, ...Object.entries(more)]));
    },
    register: (options) => post("/v1/registrations", till.sale({ ...options, paymentType: "RG" }).fields),
    remove: async (id) => answered(await raw("DELETE", `/v1/registrations/${id}?entityId=${ENTITY}`)),
    query: (merchantTransactionId, linked = false) =>
      get(
        `/v1/query?entityId=${ENTITY}&merchantTransactionId=${merchantTransactionId}${linked ? "&includeLinkedTransactions=true" : ""}`,
      ),
    async fault(fault) {
      const handled = await raw("POST", "/sandbox/v1/faults", JSON.stringify(fault), {
        "content-type": "application/json",
      });
      if (handled.is !== "reply" || handled.status !== 201)
        throw new Error(`fault not taken: ${JSON.stringify(handled)}`);
    },
  };
}

export function answered(handled: Handled): Answered {
  if (handled.is !== "reply") throw new Error("the connection was cut");
  const body = bodySchema.parse(JSON.parse(handled.body));
  return { status: handled.status, code: body.result.code, body };
}
