import { moved, type Row } from "./books.ts";
import type { TestGateway } from "./gateway.ts";
import type { PhoneDeed } from "./plan.ts";
import { later } from "./processes.ts";
import type { Entry } from "./record.ts";
import { look, type Register } from "./register.ts";

/** A customer's phone: it knows a link's address, and does with its page what a browser does. */

/**
 * Test cards of the sandbox: one that is approved, one that is refused, one whose holder is asked for a code
 * (docs/sandbox-payments.md).
 */
const CARDS = { pay: "4200000000000000", decline: "4000000000000002", code: "4200000000000042" } as const;
const CODES = { code: "1234", "wrong-code": "0000" } as const;

const cardOf = (number: string): Readonly<Record<string, string>> => ({
  ...{
    "card.number": number,
    "card.holder": "Jane Jones",
    "card.expiryMonth": "12",
    "card.expiryYear": "2034",
    "card.cvv": "123",
  },
});

/** How long a page may take, and how often it is loaded again where nothing, or an error, comes of it. */
const PAGE_MS = 15_000;
const TRIES = 4;
const AGAIN_MS = 800;
/** How long a customer waits for the code on the cashier's screen. */
const SHOWN_MS = 30_000;
const LOOK_MS = 150;

export interface PhoneUse {
  readonly gateway: TestGateway;
  readonly register: Register;
  readonly entry: Entry;
  readonly deeds: readonly PhoneDeed[];
  /** What the customer has done. */
  readonly did: (deed: PhoneDeed["does"]) => void;
}

/** Waits until the register shows a link, and does one thing after another. */
export async function usePhone(use: PhoneUse): Promise<void> {
  const url = await shownLink(use);
  if (url === undefined) return;
  for (const { afterMs, does } of use.deeds) {
    await later(afterMs);
    if (await act(use, url, does)) use.did(does);
  }
}

/** The address that the register shows; undefined where there is none, or no more. */
async function shownLink({ register, entry }: PhoneUse): Promise<string | undefined> {
  for (const until = performance.now() + SHOWN_MS; performance.now() < until; await later(LOOK_MS)) {
    const payment = await look(register, entry);
    if (payment?.link !== undefined) return payment.link.url;
    if (payment?.decision !== undefined) return undefined;
  }
  return undefined;
}

/** False where it did not come to it. */
async function act(use: PhoneUse, url: string, does: PhoneDeed["does"]): Promise<boolean> {
  switch (does) {
    case "open":
      return (await visit(url)) !== undefined;
    case "pay":
    case "decline":
      return (await visit(url, cardOf(CARDS[does]))) !== undefined;
    case "code":
    case "wrong-code": {
      const challenge = URL.parse((await visit(url, cardOf(CARDS.code)))?.headers.get("location") ?? "", url);
      if (challenge === null || !challenge.pathname.startsWith("/shopper/challenge/")) return false;
      const brought = Object.fromEntries(challenge.searchParams);
      // The third wrong code is the last.
      for (let tries = 0; tries < (does === "code" ? 1 : 3); tries += 1)
        await visit(new URL(challenge.pathname, url).href, { ...brought, code: CODES[does] });
      return true;
    }
    case "second":
      return paySecond(use);
  }
}

/** GET, or POST of a form. Undefined where the gateway does not answer, however often it is asked. */
async function visit(url: string, form?: Readonly<Record<string, string>>): Promise<Response | undefined> {
  const sent = form === undefined ? {} : { method: "POST", body: new URLSearchParams({ ...form }) };
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const response = await loaded(() =>
      fetch(url, { ...sent, redirect: "manual", signal: AbortSignal.timeout(PAGE_MS) }),
    );
    if (response !== undefined && response.status < 500) return response;
    await later(AGAIN_MS);
  }
  return undefined;
}

/** fetch says with a TypeError that nobody answered, and with a DOMException that it took too long. */
async function loaded<T>(load: () => Promise<T>): Promise<T | undefined> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return undefined;
    throw error;
  }
}

const TAKES: readonly string[] = ["PA", "DB"];

/**
 * What was booked by the link is booked once more. The register's own payment has to be told apart from it, so that
 * nothing is done where it is gone already.
 */
async function paySecond({ gateway, entry }: PhoneUse): Promise<boolean> {
  const rows = await loaded(() => gateway.ledger());
  const first = rows?.find((row) => TAKES.includes(row.paymentType) && moved(row) && isOf(row, entry));
  if (first === undefined || rows?.some(({ referencedId }) => referencedId === first.id) === true) return false;
  // It may be booked also where no answer comes.
  entry.secondPages += 1;
  return (await loaded(() => gateway.payAgain(first, cardOf(CARDS.pay)))) === true;
}

function isOf({ parameters, merchantTransactionId }: Row, { reference }: Entry): boolean {
  return parameters["merchantInvoiceId"] === reference && merchantTransactionId !== undefined;
}
