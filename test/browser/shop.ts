import { createServer, type IncomingMessage } from "node:http";
import { z } from "zod";
import { openSandboxStore } from "../../packages/sandbox/gateway/ledger/store.ts";
import { createSandbox, type Sandbox } from "../../packages/sandbox/gateway/sandbox.ts";
import { serveSandbox } from "../../packages/sandbox/gateway/server.ts";
import { systemClock } from "../../src/kit/system-clock.ts";
import { systemRandom } from "../../src/kit/system-random.ts";

export const ENTITY = "8a8294174b7ecb28014b9699220015ca";
const TOKEN = "sandbox-token";

const statusSchema = z.looseObject({
  id: z.string().optional(),
  registrationId: z.string().optional(),
  paymentType: z.string().optional(),
  paymentBrand: z.string().optional(),
  amount: z.string().optional(),
  card: z.record(z.string(), z.unknown()).optional(),
  customParameters: z.record(z.string(), z.string()).optional(),
  integrity: z.string().optional(),
  result: z.looseObject({ code: z.string(), description: z.string() }),
});
export type Status = z.infer<typeof statusSchema>;

/** A page of the merchant's, and what its server says about it. */
export interface ShopPage {
  readonly html: string;
  /** Content-Security-Policy; none unless said. */
  readonly policy?: string;
}

/**
 * A gateway, and a merchant's shop at another origin: it creates checkouts, shows a page and reads the status when the
 * shopper comes back.
 */
export interface Shop {
  readonly sandbox: Sandbox;
  /** Both without a slash at the end. */
  readonly gateway: string;
  readonly url: string;
  /** What came back at /result, one entry for each shopper, with the status that the shop's server read then. */
  readonly returned: { readonly query: URLSearchParams; readonly status: Status }[];
  /** POST /v1/checkouts. */
  checkout(fields: Readonly<Record<string, string>>): Promise<Status & { readonly id: string }>;
  /** What GET / shows from now on. */
  show(page: ShopPage): void;
  status(path: string): Promise<{ readonly httpStatus: number; readonly body: Status }>;
  post(path: string, fields: Readonly<Record<string, string>>): Promise<Status>;
  close(): Promise<void>;
}

export async function openShop(): Promise<Shop> {
  const store = openSandboxStore(":memory:");
  const sandbox = createSandbox({
    clock: systemClock,
    random: systemRandom,
    store,
    entities: [{ entityId: ENTITY, token: TOKEN }],
  });
  const gatewayServer = await serveSandbox(sandbox, 0, (problem) => {
    throw new Error(problem);
  });
  const gateway = gatewayServer.url.slice(0, -1);
  const authorization = `Bearer ${TOKEN}`;
  const status: Shop["status"] = async (path) => {
    const reply = await fetch(`${gateway}${path}?entityId=${ENTITY}`, { headers: { authorization } });
    return { httpStatus: reply.status, body: statusSchema.parse(await reply.json()) };
  };
  const post: Shop["post"] = async (path, fields) => {
    const reply = await fetch(`${gateway}${path}`, {
      method: "POST",
      headers: { authorization },
      body: new URLSearchParams({ entityId: ENTITY, ...fields }),
    });
    return statusSchema.parse(await reply.json());
  };
  const returned: Shop["returned"] = [];
  let page: ShopPage = { html: "" };
  const server = createServer((request, response) => {
    void answer(request).then(({ html, policy }) => {
      response.writeHead(200, {
        "content-type": "text/html; charset=utf-8",
        ...(policy !== undefined && { "content-security-policy": policy }),
      });
      response.end(html);
    });
  });
  const answer = async (request: IncomingMessage): Promise<ShopPage> => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://shop");
    if (pathname !== "/result") return pathname === "/" ? page : { html: "" };
    const { body } = await status(searchParams.get("resourcePath") ?? "");
    returned.push({ query: searchParams, status: body });
    return { html: `<!doctype html><title>Result</title><h1 id="result">${body.result.code}</h1>` };
  };
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  return {
    ...{ sandbox, gateway, url: `http://127.0.0.1:${port}`, returned, status, post },
    async checkout(fields) {
      const body = await post("/v1/checkouts", fields);
      return { ...body, id: z.string().parse(body.id) };
    },
    show: (shown) => {
      page = shown;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await gatewayServer.close();
      store.close();
    },
  };
}
