import type { Page, WebSocketRoute } from "playwright-core";
import { ledgerSchema } from "../../scenarios/ledger.ts";
import { type Looks, type Visit, type VisitedDemo, visit } from "./demo.ts";

/** What the page hears of the bridge, under the test's thumb: setOffline does not reach a WebSocket to this machine. */
export interface PageLine {
  /** Ends the connection, and every next one at once. */
  cut(): Promise<void>;
  mend(): void;
  /** The next call of this method never reaches the bridge, and the connection is cut with it. */
  lose(method: string): void;
  /** Keeps what fits from the page until it is let go. Calls go through. */
  hold(fits: RegExp): void;
  letGo(): void;
  /** Every call that the page made, by its method. */
  readonly calls: readonly string[];
}

export interface TillPage extends Visit {
  readonly line: PageLine;
  /** Types digits and presses Enter, as at any till. */
  sell(digits: string): Promise<void>;
  /** Waits for the verdict of this look. */
  look(look: string): Promise<void>;
  /** What the verdict says, in all its words. */
  words(): Promise<string>;
  /** Of the payment in front. */
  reference(): Promise<string>;
  button(name: string | RegExp): Promise<void>;
  tab(name: string): Promise<void>;
  kind(name: string): Promise<void>;
}

export async function visitTill(demo: VisitedDemo, looks: Looks = {}): Promise<TillPage> {
  const opened = await visit(demo, "/", looks);
  const { page } = opened;
  const line = await holdLine(page);
  await page.goto(new URL("/till/", demo.url).href);
  await page.getByText("till-1: ready").waitFor();
  return { ...opened, line, ...actionsOn(page) };
}

function actionsOn(page: Page): Pick<TillPage, "sell" | "look" | "words" | "reference" | "button" | "tab" | "kind"> {
  return {
    sell: async (digits) => {
      await page.locator(".pad-submit:enabled").waitFor();
      await page.keyboard.type(digits);
      await page.keyboard.press("Enter");
    },
    look: (look) => page.locator(`.verdict[data-look="${look}"]`).waitFor(),
    words: async () => (await page.locator(".verdict").textContent()) ?? "",
    reference: async () => (await page.locator(".facts dd").first().textContent()) ?? "",
    button: (name) => page.getByRole("button", { name, exact: true }).click(),
    tab: (name) => page.getByRole("link", { name, exact: true }).click(),
    kind: (name) => page.getByRole("radio", { name, exact: true }).check(),
  };
}

async function holdLine(page: Page): Promise<PageLine> {
  const open = new Set<WebSocketRoute>();
  const calls: string[] = [];
  let isCut = false;
  let lost: string | undefined;
  let held: { readonly fits: RegExp; readonly frames: (() => void)[] } | undefined;
  const cut = async (): Promise<void> => {
    isCut = true;
    const sockets = [...open];
    open.clear();
    for (const socket of sockets) await socket.close({ code: 1001 });
  };
  await page.routeWebSocket(/\/v1$/, (socket) => {
    if (isCut) return void socket.close({ code: 1001 });
    open.add(socket);
    const bridge = socket.connectToServer();
    socket.onMessage((frame) => {
      const method = /"method":"([^"]+)"/.exec(String(frame))?.[1];
      if (method !== undefined && method === lost) {
        lost = undefined;
        void cut();
        return;
      }
      if (method !== undefined) calls.push(method);
      bridge.send(frame);
    });
    bridge.onMessage((frame) => {
      if (held?.fits.test(String(frame)) === true) held.frames.push(() => socket.send(frame));
      else if (open.has(socket)) socket.send(frame);
    });
  });
  return {
    calls,
    cut,
    mend: () => {
      isCut = false;
    },
    lose: (method) => {
      lost = method;
    },
    hold: (fits) => {
      held = { fits, frames: [] };
    },
    letGo: () => {
      const frames = held?.frames ?? [];
      held = undefined;
      for (const send of frames) send();
    },
  };
}

/** The addresses behind the demo, as it printed them. */
export function behind({ program }: VisitedDemo): { readonly sandbox: string; readonly controls: string } {
  const printed = program.out.join("\n");
  const [, controls = ""] = /its controls +(http:\S+)screen/.exec(printed) ?? [];
  const [, sandbox = ""] = / sandbox +(http:\S+)/.exec(printed) ?? [];
  return { sandbox, controls };
}

export async function post(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
}

/** How often the gateway booked this type of payment of this amount. */
export async function booked(demo: VisitedDemo, paymentType: string, amount: string): Promise<number> {
  const { bookings } = ledgerSchema.parse(await (await fetch(`${behind(demo).sandbox}sandbox/v1/ledger`)).json());
  return bookings.filter((row) => row.paymentType === paymentType && row.amount === amount).length;
}
