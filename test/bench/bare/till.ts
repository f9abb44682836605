import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { SerialPort } from "serialport";
import type { Pool } from "undici";
import { z } from "zod";
import type { BareJournal, BarePayment } from "./journal.ts";
import { answerIn, command, listener, type Objects, objectsIn, tlv } from "./miura.ts";

export interface BareTillOn {
  readonly device: string;
  readonly terminalId: string;
  readonly entityId: string;
  readonly token: string;
  readonly gateway: Pool;
  readonly journal: BareJournal;
  readonly log: Logger;
}

export interface Sale {
  readonly payment: BarePayment;
  /** Called at each new state. */
  changed(payment: BarePayment): void;
}

/** A terminal that sells: nothing is recovered, repeated or taken back. */
export interface BareTill {
  sell(sale: Sale): Promise<void>;
}

const RESET = "d0000000";
const CARD_STATUS = "d0600d00";
const DISPLAY = "d2010001";
const START = "ded10000";
const CONTINUE = "ded20000";
/** Clear objects for the gateway. */
const CLEAR = [
  ...["82", "84", "95", "9A", "9C", "5F2A", "9F02", "9F03", "9F10", "9F1A", "9F26", "9F33", "9F36", "9F37"],
  ...["5F34", "9F27", "9F34", "9F35", "9F41", "9F1E", "9F09", "4F", "9F06"],
];
const HEAD = {
  accept: "application/json",
  "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
} as const;

const replySchema = z.object({
  id: z.string(),
  amount: z.string(),
  currency: z.string(),
  result: z.object({ code: z.string().startsWith("000.") }),
  pos: z.object({ iccDataResponse: z.string() }).optional(),
});

export async function openBareTill(on: BareTillOn): Promise<BareTill> {
  const { journal, gateway, log, entityId, token } = on;
  const device = await openDevice(on.device);
  const headers = { ...HEAD, authorization: `Bearer ${token}` };
  const post = async (path: string, fields: Readonly<Record<string, string>>): Promise<z.infer<typeof replySchema>> => {
    const body = new URLSearchParams({ entityId, testMode: "INTERNAL", ...fields }).toString();
    const response = await gateway.request({ path, method: "POST", headers, body });
    return replySchema.parse(JSON.parse(await response.body.text()));
  };
  const sell = async ({ payment, changed }: Sale): Promise<void> => {
    const { id, reference, amount } = payment;
    const said = { payment: id, reference, register: payment.register, amount, currency: "EUR" };
    const step = (state: string, message: string): void => {
      payment.state = state;
      changed(payment);
      log.info(said, message);
    };
    const inserted = device.cardIn();
    // CARD STATUS is answered by events alone (PROTOCOL.md 6).
    device.send(CARD_STATUS);
    const shown = device.ask(DISPLAY, Buffer.from("INSERT CARD"));
    step("AWAITING_CARD", "card asked for");
    await Promise.all([inserted, shown]);
    const card = await device.ask(START, startData(amount));
    const icc = CLEAR.map((tag) => card.get(tag) && tlv(tag, card.get(tag) ?? Buffer.alloc(0)).toString("hex"))
      .join("")
      .toUpperCase();
    const reservation = randomBytes(16).toString("hex");
    payment.state = "AUTHORIZING";
    await journal.append(payment, [
      { fact: "card-presented", at: Date.now(), icc, entryMode: "ICC" },
      { fact: "attempt-intended", at: Date.now(), merchantTransactionId: reservation, paymentType: "PA", amount },
    ]);
    step("AUTHORIZING", "sent to the gateway");
    const reserved = await post("/v1/payments", {
      ...cardFields(card, icc, on.terminalId),
      ...{ amount, currency: "EUR", paymentType: "PA", merchantTransactionId: reservation },
    });
    const issuer = Buffer.from(reserved.pos?.iccDataResponse ?? "", "hex");
    payment.state = "COMPLETING";
    await journal.append(payment, [
      { fact: "attempt-answered", at: Date.now(), merchantTransactionId: reservation, answer: reserved },
      { fact: "issuer-told", at: Date.now(), issuer: issuer.toString("hex") },
    ]);
    const agreeing = device.ask(CONTINUE, tlv("e0", objectsAsTlv(objectsIn(issuer))));
    step("COMPLETING", "answer told to the card");
    const agreed = await agreeing;
    if (agreed.get("9F27")?.toString("hex") !== "40") throw new Error("the card did not agree");
    const capture = randomBytes(16).toString("hex");
    payment.state = "FINAL";
    await journal.append(payment, [
      { fact: "card-finished", at: Date.now(), cryptogram: agreed.get("9F26")?.toString("hex") },
      { fact: "concluded", at: Date.now(), outcome: "APPROVED" },
      { fact: "attempt-intended", at: Date.now(), merchantTransactionId: capture, paymentType: "CP", amount },
    ]);
    step("FINAL", "payment final");
    const capturing = post(`/v1/payments/${reserved.id}`, {
      ...{ amount, currency: "EUR", paymentType: "CP", merchantTransactionId: capture },
    });
    await device.ask(DISPLAY, Buffer.from("APPROVED\nPLEASE REMOVE CARD"));
    await device.cardOut();
    const captured = await capturing;
    await journal.append(payment, [
      { fact: "attempt-answered", at: Date.now(), merchantTransactionId: capture, answer: captured },
      { fact: "released", at: Date.now() },
    ]);
    log.info(said, "captured");
  };
  return { sell };
}

const objectsAsTlv = (objects: Objects): Buffer => Buffer.concat([...objects].map(([tag, value]) => tlv(tag, value)));

function startData(amount: string): Buffer {
  const now = new Date().toISOString().replaceAll(/[^0-9]/g, "");
  const fields = { "9c": "00", "9f02": amount.replace(".", "").padStart(12, "0"), "9a": now.slice(2, 8) };
  const more = { "9f21": now.slice(8, 14), dfa204: "01", dfa203: "00", "5f2a": "0978" };
  const objects = Object.entries({ ...fields, ...more }).map(([tag, hex]) => tlv(tag, Buffer.from(hex, "hex")));
  return tlv("e0", Buffer.concat(objects));
}

function cardFields(card: Objects, icc: string, terminalId: string): Record<string, string> {
  const hex = (tag: string): string => card.get(tag)?.toString("hex").toUpperCase() ?? "";
  return {
    ...{ "pos.entryMode": "ICC", "pos.terminalId": terminalId, "pos.deviceType": "MIURA_M020" },
    "pos.iccDataRequest": icc,
    "pos.encryptedSred.data": hex("DFAE02"),
    "pos.encryptedSred.ksn": hex("DFAE03"),
    "pos.encryptedPin.data": hex("DFAE04"),
    "pos.encryptedPin.ksn": hex("DFAE05"),
  };
}

interface Device {
  send(header: string, data?: Buffer): void;
  ask(header: string, data?: Buffer): Promise<Objects>;
  /** The next time that a card is in the slot. */
  cardIn(): Promise<void>;
  cardOut(): Promise<void>;
}

async function openDevice(path: string): Promise<Device> {
  const port = new SerialPort({ path, baudRate: 115200 });
  await new Promise<void>((resolve, reject) => {
    port.once("open", () => resolve());
    port.once("error", reject);
  });
  const waiting: ((body: Buffer) => void)[] = [];
  const early: Buffer[] = [];
  let isCardIn = false;
  let watching: (() => void)[] = [];
  const listen = listener((body, isEvent) => {
    if (!isEvent) {
      const next = waiting.shift();
      if (next === undefined) early.push(body);
      else next(body);
      return;
    }
    const status = answerIn(body).get("48");
    if (status === undefined) return;
    isCardIn = status[0] !== 0;
    for (const look of watching) look();
  });
  port.on("data", listen);
  const answer = (): Promise<Buffer> =>
    new Promise((resolve) => {
      const came = early.shift();
      if (came === undefined) waiting.push(resolve);
      else resolve(came);
    });
  const until = (wanted: boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (isCardIn !== wanted) return;
        watching = watching.filter((one) => one !== look);
        resolve();
      };
      watching.push(look);
      look();
    });
  const send: Device["send"] = (header, data) => void port.write(command(header, data));
  const ask: Device["ask"] = async (header, data) => {
    send(header, data);
    return answerIn(await answer());
  };
  await ask(RESET);
  return {
    send,
    ask,
    cardIn: () => until(true),
    cardOut: () => until(false),
  };
}
