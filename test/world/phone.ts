import type { SandboxStore } from "../../packages/sandbox/gateway/ledger/store.ts";
import type { HttpExchange, HttpOutcome } from "../../src/gateway/http-exchange.ts";
import { type Clock, sleep } from "../../src/kit/clock.ts";
import type { Asked } from "./checker/evidence.ts";
import { SECOND } from "./checker/link-rules.ts";
import type { History } from "./history.ts";
import type { PhoneDeed } from "./script.ts";

/** Customers' phones. What they do to a link's page is what a browser does: they know no more than its address. */
export interface Phones {
  /** A register has shown the customer the address of that payment's link. */
  shown(reference: string, url: string): void;
  /** He waits until he is shown it, and does one thing after another. */
  use(asked: Asked, deeds: readonly PhoneDeed[]): Promise<void>;
}

export interface PhonePorts {
  readonly clock: Clock;
  readonly http: HttpExchange;
  readonly store: SandboxStore;
  readonly history: History;
  /** The payment that a booking is of. */
  readonly owner: (id: string) => string | undefined;
}

/** Test cards of the sandbox: one that is approved, one that is refused, one whose holder is asked for a code. */
const CARDS = { pay: "4200000000000000", decline: "4000000000000002", code: "4200000000000042" } as const;
const CODES = { code: "1234", "wrong-code": "0000" } as const;
const DEADLINE_MS = 60_000;
/** Until the holder has found the code among his messages. */
const CODE_MS = 20_000;

export function createPhones(on: PhonePorts): Phones {
  const urls = new Map<string, string>();
  const waiting = new Map<string, (url: string) => void>();
  const urlOf = (reference: string): Promise<string> =>
    new Promise((resolve) => {
      const known = urls.get(reference);
      if (known === undefined) waiting.set(reference, resolve);
      else resolve(known);
    });
  return {
    shown: (reference, url) => {
      if (urls.has(reference)) return;
      urls.set(reference, url);
      waiting.get(reference)?.(url);
    },
    use: async ({ reference }, deeds) => {
      const url = await urlOf(reference);
      for (const { afterMs, does } of deeds) {
        await sleep(on.clock, afterMs);
        on.history.note("trouble", () => `${reference}: the customer on his phone: ${does}`);
        await act(on, { reference, url }, does);
      }
    },
  };
}

interface Shown {
  readonly reference: string;
  readonly url: string;
}

async function act(on: PhonePorts, shown: Shown, does: PhoneDeed["does"]): Promise<void> {
  switch (does) {
    case "open":
      await visit(on, "GET", shown.url);
      return;
    case "pay":
    case "decline":
      await payWith(on, shown.url, CARDS[does]);
      return;
    case "code":
    case "wrong-code":
    case "no-code": {
      const sent = await payWith(on, shown.url, CARDS.code);
      const challenge =
        sent.is === "answered" && sent.location !== undefined ? URL.parse(sent.location, shown.url) : null;
      if (does === "no-code" || challenge === null || !challenge.pathname.startsWith("/shopper/challenge/")) return;
      await sleep(on.clock, CODE_MS);
      const brought = Object.fromEntries(challenge.searchParams);
      for (let tries = 0; tries < (does === "code" ? 1 : 3); tries += 1) {
        await visit(on, "POST", new URL(challenge.pathname, shown.url).href, { ...brought, code: CODES[does] });
      }
      return;
    }
    case "second":
      return paySecond(on, shown);
  }
}

function payWith(on: PhonePorts, url: string, card: string): Promise<HttpOutcome> {
  return visit(on, "POST", url, {
    "card.number": card,
    "card.expiryMonth": "12",
    "card.expiryYear": "2031",
    "card.cvv": "123",
    "card.holder": "Jane Jones",
  });
}

function visit(
  { http }: PhonePorts,
  method: "GET" | "POST",
  url: string,
  form?: Readonly<Record<string, string>>,
): Promise<HttpOutcome> {
  const request = { method, url, headers: {}, deadlineMs: DEADLINE_MS } as const;
  if (form === undefined) return http.exchange(request);
  return http.exchange({
    ...request,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(form).toString(),
  });
}

/**
 * A checkout that was opened before the payment lives for half an hour (gateway-facts 0): within it the first payment
 * does not stop the second.
 */
const OPENED_MS = 1_700_000;

/**
 * The sandbox takes one payment of a link; that the gateway does is published nowhere. What was booked is booked once
 * more.
 */
function paySecond({ store, clock, history, owner }: PhonePorts, { reference }: Shown): void {
  const own = store
    .all()
    .filter(
      ({ merchantTransactionId, paymentType, id }) =>
        merchantTransactionId !== undefined && TAKES.includes(paymentType) && owner(id) === reference,
    );
  const first = own.find(
    ({ resultCode, interim, receivedAt }) =>
      resultCode === APPROVED && interim === undefined && clock.now() - receivedAt < OPENED_MS,
  );
  if (first === undefined || own.some(({ id }) => id.startsWith(SECOND))) return;
  history.note("gateway", () => `${reference}: the same is paid in a second browser`);
  const { hiddenUntil: _, ...second } = first;
  store.append({ ...second, id: `${SECOND}${first.id.slice(SECOND.length)}`, receivedAt: clock.now() });
}

const TAKES: readonly string[] = ["PA", "DB"];
const APPROVED = "000.100.110";
