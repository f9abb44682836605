import type { RegisterClient } from "../../client/client.ts";
import { CallRefused, ConnectionLost } from "../../client/errors.ts";
import { type Clock, isoTime } from "../../kit/clock.ts";
import type { Random } from "../../kit/random.ts";
import type { PaymentView } from "../../payment/view-schema.ts";
import { type Ask, type Asked, type AskingClient, askedSchema, sendAsked } from "./asked.ts";
import type { AskedBook } from "./asked-book.ts";
import { newReference } from "./reference.ts";
import { consumesNothing, refusalOf } from "./refusal.ts";
import { type Entry, isOver, type TillEvent } from "./till-state.ts";

export type DeskClient = AskingClient &
  Pick<RegisterClient, "hello" | "register" | "get" | "cancel" | "confirmSignature" | "list">;

export interface DeskPorts {
  readonly book: AskedBook;
  readonly clock: Clock;
  readonly random: Random;
  /** The current front payment, not the one of the last render. */
  front(): string | undefined;
  tell(event: TillEvent): void;
}

/** The cashier's actions as calls; every answer becomes an event. */
export interface Desk {
  /** A session opened: queries unknown payments and looks up stored ones. */
  connected(client: DeskClient, entries: readonly Entry[]): Promise<void>;
  disconnected(): void;
  /** Replaces the front payment or the pad. A second press in the same moment finds it replaced and sends nothing. */
  ask(ask: Ask, inPlaceOf?: Entry): Promise<void>;
  /** Sends the identical request again, at the cashier's wish. */
  repeat(asked: Asked): Promise<void>;
  cancel(entry: Entry): Promise<void>;
  sign(entry: Entry, accepted: boolean): Promise<void>;
  open(payment: PaymentView): void;
  /** A payment of which the till knows only reference or id. */
  find(payment: { readonly reference: string } | { readonly id: string }): Promise<void>;
  /** The next customer is served. An unfinished payment stays on the table. */
  putAway(entry: Entry): void;
}

/** Delay before a refused question is asked again. */
const AGAIN_MS = 2_000;
const RECENT = 8;
const NO_CONNECTION = "There is no connection to the bridge. Nothing was sent.";
const NOT_KEPT =
  "This browser keeps nothing for this page, so a sale that is cut off could not be found again. Nothing was sent. Allow this page to store data.";

export function createDesk(ports: DeskPorts): Desk {
  const { book, clock, random, front, tell } = ports;
  let client: DeskClient | undefined;
  const { look, send } = openSending(ports, () => client);
  const press = async (
    entry: Entry,
    call: (on: DeskClient, key: { readonly id: string } | { readonly reference: string }) => Promise<TillEvent>,
  ): Promise<void> => {
    const { name, standing } = entry;
    if (client === undefined) return tell({ is: "trouble", name, text: NO_CONNECTION });
    try {
      tell(await call(client, standing.is === "known" ? { id: standing.payment.id } : { reference: name }));
    } catch (error) {
      tell({ is: "trouble", name, text: troubleOf(error) });
    }
  };

  const putAway = ({ name, standing }: Entry): void => {
    if (isOver(standing)) book.drop(name);
    else book.laidAside(name);
    tell({ is: "put-away", name });
  };

  return {
    connected: async (opened, entries) => {
      client = opened;
      const looks = entries
        .filter(({ standing }) => !isOver(standing))
        .map(({ asked }) => asked && look(asked, opened));
      await Promise.all([...looks, recent(opened, tell)]);
    },
    disconnected: () => {
      client = undefined;
    },
    ask: async ({ call, params, title }, inPlaceOf) => {
      if (front() !== inPlaceOf?.name) return;
      if (client === undefined) return tell({ is: "trouble", name: inPlaceOf?.name, text: NO_CONNECTION });
      if (inPlaceOf !== undefined) putAway(inPlaceOf);
      const now = clock.now();
      const named = { ...params, reference: newReference(now, random) };
      await send(
        askedSchema.parse({
          call,
          params: named,
          title,
          register: client.register,
          bridge: client.hello.bridge.id,
          at: isoTime(now),
        }),
      );
    },
    repeat: send,
    cancel: (entry) =>
      press(entry, async (on, key) => ({ is: "cancelled", name: entry.name, ...(await on.cancel(key)) })),
    sign: (entry, accepted) =>
      press(entry, async (on, key) => ({ is: "changed", payment: await on.confirmSignature(key, accepted) })),
    open: (payment) => tell({ is: "opened", payment, name: nameOf(payment, client) }),
    find: async (key) => {
      if (client === undefined) return tell({ is: "trouble", name: undefined, text: NO_CONNECTION });
      try {
        const payment = await client.get(key);
        tell({ is: "opened", payment, name: nameOf(payment, client) });
      } catch (error) {
        tell({ is: "trouble", name: undefined, text: troubleOf(error) });
      }
    },
    putAway,
  };
}

interface Sending {
  send(asked: Asked): Promise<void>;
  /** Queries the payment until the bridge gives its state. */
  look(asked: Asked, on: DeskClient): Promise<void>;
}

function openSending({ book, clock, tell }: DeskPorts, current: () => DeskClient | undefined): Sending {
  const look = async (asked: Asked, on: DeskClient): Promise<void> => {
    const event = await lookUp(asked, on);
    if (on !== current()) return;
    if (event === "again") clock.after(AGAIN_MS, () => void look(asked, on));
    else if (event !== undefined) {
      if (event.is === "found") book.accepted(event.name);
      tell(event);
    }
  };
  const send = async (asked: Asked): Promise<void> => {
    const name = asked.params.reference;
    const on = current();
    if (on === undefined) return tell({ is: "trouble", name: undefined, text: NO_CONNECTION });
    if (!book.keep(asked)) return tell({ is: "trouble", name: undefined, text: NOT_KEPT });
    tell({ is: "asked", asked });
    try {
      const { payment, warnings } = await sendAsked(on, asked);
      book.accepted(name);
      tell({ is: "answered", name, payment, warnings });
    } catch (error) {
      if (error instanceof CallRefused && consumesNothing(error.code)) {
        book.drop(name);
        return tell({ is: "refused", name, refusal: refusalOf(error, on.register) });
      }
      // Acceptance is unknown here; the bridge is queried by reference.
      tell({ is: "unheard", name });
      if (current() === on) await look(asked, on);
    }
  };
  return { send, look };
}

function nameOf({ reference, register, id }: PaymentView, client: DeskClient | undefined): string {
  return register === client?.register ? reference : id;
}

/**
 * The state of a sent request. `not-found`: never accepted; resent only at the cashier's wish. "again": no answer.
 * Undefined: disconnected; the next connection queries.
 */
async function lookUp(asked: Asked, client: DeskClient): Promise<TillEvent | "again" | undefined> {
  const name = asked.params.reference;
  try {
    if (asked.register !== client.register || asked.bridge !== client.hello.bridge.id) return { is: "elsewhere", name };
    return { is: "found", name, payment: await client.get({ reference: name }) };
  } catch (error) {
    if (!(error instanceof CallRefused)) return undefined;
    if (error.code !== "not-found") return "again";
    // A bridge restored from a backup has forgotten what it accepted.
    return { is: asked.isAccepted ? "elsewhere" : "not-accepted", name };
  }
}

async function recent(client: DeskClient, tell: DeskPorts["tell"]): Promise<void> {
  try {
    const { payments } = await client.list({ limit: RECENT });
    tell({ is: "recent", payments });
  } catch (error) {
    if (error instanceof CallRefused) tell({ is: "trouble", name: undefined, text: error.message });
  }
}

function troubleOf(error: unknown): string {
  if (error instanceof CallRefused) return `${refusalOf(error, "").text} ${refusalOf(error, "").todo}`;
  if (error instanceof ConnectionLost)
    return "The connection was lost before the bridge answered. Once it is back, look how the payment stands, and press again if need be.";
  return error instanceof Error ? error.message : String(error);
}
