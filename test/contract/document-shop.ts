import type { GatewayOrder } from "../../src/engine/ports.ts";
import type { PaymentsDesk } from "../../src/engine/service/payment-service.ts";
import type { Answer, Found, LinkSight } from "../../src/payment/fact/answer.ts";
import type { RegisterPairing } from "../../src/register/pairing/desk.ts";
import type { SocketFacts } from "../../src/register/pairing/introduction.ts";
import type { TerminalView } from "../../src/register/ports.ts";
import { obliging, type Script } from "../support/bench-terminal.ts";
import { type Counter, openCounter } from "../support/counter.ts";
import { approval, refusal } from "../support/sale.ts";
import { documentTechnician } from "./document-technician.ts";
import { type FakePairing, fakePairing } from "./fake-pairing.ts";
import { fakeRegisters } from "./fake-registers.ts";
import { type Talk, talkTo } from "./talk.ts";

/** The booking of another system that the document refunds. */
export const FOREIGN_ID = "8ac7a4a18f2b6cd1018f2b8a3c5e0f41";
const FOREIGN_AMOUNT = 2500;

/** What happens at the terminal and at the issuer, by amount in cents. */
const SIGNS = 4500;
const PARTLY = 8000;
const DECLINED = 1300;
const NO_CARD = 999;
/** The customer does not pay by the link. */
const NOT_PAID = 2100;
/** The gateway takes long to decide. */
const UNDECIDED = 3300;

const terminalScript: Script = (command) => {
  if (command.do !== "collect" || command.request.amount === NO_CARD)
    return command.do === "collect" ? [] : obliging(command);
  const said: ReturnType<Script> = [{ on: "prompt", prompt: "INSERT_OR_TAP" }, ...obliging(command)];
  if (command.request.amount !== SIGNS) return said;
  return said.map((saying) => {
    if (saying.on !== "card") return saying;
    // 9F34: signature, no other rule, result unknown (EMV Book 4, annex A4).
    const icc = [...saying.card.icc, { tag: "9F34", value: Uint8Array.of(0x1e, 0, 0) }];
    const { pin: _, ...card } = saying.card;
    return { ...saying, card: { ...card, icc } };
  });
};

/** Several registers' sockets before one engine, with a scripted terminal and issuer. */
export interface DocumentShop {
  readonly counter: Counter;
  /** A socket before its session. */
  socket(): Talk<PaymentsDesk>;
  /** A socket of a page that is not paired. */
  page(): Talk<PaymentsDesk>;
  readonly registers: RegisterPairing;
  /** From now on the gateway's query shows this booking of the bridge too. */
  book(booking: Pick<Found, "id" | "paymentType" | "merchantTransactionId">): void;
}

export function openDocumentShop(): DocumentShop {
  let bookings = 0;
  const paid: Found[] = [];
  const answer = ({ operation }: GatewayOrder): Answer => {
    bookings += 1;
    const id = `8ac7a4a0${String(bookings).padStart(24, "0")}`;
    if (operation.link !== undefined) {
      const { merchantTransactionId, paymentType, amount = 0 } = operation;
      if (amount !== NOT_PAID) paid.push({ id, merchantTransactionId, paymentType, answer: approval(amount, id) });
      return {
        is: "link",
        id,
        url: `https://gateway.example/paybylink/${id}`,
        resultCode: "000.200.100",
        description: "successfully created checkout",
      };
    }
    if (operation.amount === UNDECIDED) {
      const pending = { is: "pending", id, resultCode: "000.200.000", description: "transaction pending" } as const;
      paid.push({
        id,
        merchantTransactionId: operation.merchantTransactionId,
        paymentType: operation.paymentType,
        answer: pending,
      });
      return pending;
    }
    if (operation.amount === DECLINED) return refusal();
    const { createRegistration, paymentType } = operation;
    const approved = approval(
      operation.amount === PARTLY && paymentType === "PA" ? 5000 : (operation.amount ?? operation.reverses ?? 0),
      id,
    );
    return createRegistration === true && approved.is === "approved"
      ? { ...approved, registrationId: `8ac7a49f${id.slice(8)}` }
      : approved;
  };
  const foreign = {
    id: FOREIGN_ID,
    merchantTransactionId: "another-system",
    paymentType: "DB",
    answer: approval(FOREIGN_AMOUNT, FOREIGN_ID),
  } as const;
  const look = (link: string): LinkSight =>
    paid.some(({ id }) => id === link) ? { is: "paid", transactionId: link } : { is: "open", opened: false };
  const counter = openCounter({
    script: terminalScript,
    can: { interfaces: ["chip", "contactless"] },
    answer,
    look,
    search: () => ({ is: "found", bookings: [foreign, ...paid] }),
  });
  const book: DocumentShop["book"] = (booking) => void paid.push({ ...booking, answer: approval(1234, booking.id) });
  const pairing = fakePairing();
  const technician = documentTechnician(counter);
  const payments: PaymentsDesk = {
    ...counter.payments,
    terminals: () => [...counter.payments.terminals(), ...pairedViews(pairing)],
  };
  const registers = fakeRegisters(counter.clock);
  const socket = (at: Partial<SocketFacts> = {}): Talk<PaymentsDesk> =>
    talkTo({ payments, technician, pairing, registers, at }, counter.clock, () => counter.clock.advance(1), 5_000);
  const place = { origin: "https://till.example", address: "ws://127.0.0.1:7717" };
  return { counter, book, socket: () => socket(), page: () => socket({ place }), registers: registers.registers };
}

/** What was paired stands beside the scripted terminal. */
function pairedViews({ paired }: FakePairing): readonly TerminalView[] {
  return [...paired.values()].map(({ id, model, connection }) => ({
    ...{
      id,
      model,
      connection: `serial ${connection.serial ?? ""}`,
      state: "ready",
      serialNumber: "S-1",
      capabilities: ["chip"],
      queue: 0,
    },
  }));
}
