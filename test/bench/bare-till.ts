import { request } from "node:http";
import { SerialPort } from "serialport";
import { type CommandName, commandApdu, encodeApdu } from "../../drivers/miura-m020/apdu.ts";
import { encodeMessage, push } from "../../drivers/miura-m020/frame.ts";
import { leavesOf, parseAnswer, tags } from "../../drivers/miura-m020/message.ts";
import { newDeframer } from "../../drivers/vipa/frame.ts";
import { encodeTemplate } from "../../drivers/vipa/message.ts";
import { iccDataRequestOf, issuerResponseOf } from "../../src/emv/online.ts";
import { clearable } from "../../src/emv/tags.ts";
import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { fromAscii } from "../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../src/kit/hex.ts";

/**
 * What a sale takes when nothing is journalled, checked, recovered or told: frames to the terminal, two requests to the
 * gateway, one after another.
 */
export interface BareTill {
  /** Milliseconds for one approved sale. Rejects where it is anything else. */
  sell(minor: number): Promise<number>;
  close(): Promise<void>;
}

const CARD_IN = "48020300";

export async function openBareTill(path: string, gateway: URL, token: string, entityId: string): Promise<BareTill> {
  const port = new SerialPort({ path, baudRate: 115200 });
  await new Promise<void>((resolve) => port.once("open", () => resolve()));
  const terminal = listen(port);
  const send = (name: CommandName, options: { p1?: number; data?: Uint8Array } = {}): void => {
    const body = encodeApdu(commandApdu(name, options), true);
    if (body !== undefined) for (const frame of encodeMessage({ nad: 1, unsolicited: false, body })) port.write(frame);
  };
  const ask = async (name: CommandName, objects: readonly Tlv[] = []): Promise<readonly Tlv[]> => {
    send(name, { data: objects.length === 0 ? new Uint8Array(0) : encodeTemplate("E0", objects) });
    const answer = parseAnswer(await terminal.answer());
    return answer.is === "template" ? leavesOf(answer.objects) : [];
  };
  const post = (
    where: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<{ id: string; icc: string | undefined }> =>
    exchange(
      new URL(where, gateway),
      token,
      new URLSearchParams({ entityId, testMode: "INTERNAL", ...fields }).toString(),
    );
  await ask("reset");
  return {
    sell: async (minor) => {
      const started = process.hrtime.bigint();
      const inserted = terminal.event((body) => toHex(body).includes(CARD_IN));
      send("card-status", { p1: 0x0d });
      send("display", { data: fromAscii("INSERT CARD") });
      await Promise.all([terminal.answer(), inserted]);
      const card = await ask("start-transaction", startFields(minor));
      const amount = (minor / 100).toFixed(2);
      const reserved = await post("v1/payments", {
        ...cardFields(card),
        amount,
        currency: "EUR",
        paymentType: "PA",
        merchantTransactionId: `bare-${started}`,
      });
      const { arc, authentication } = issuerResponseOf("approved", reserved.icc);
      const issuer = [
        { tag: "8A", value: fromHex(arc) },
        ...(authentication === undefined ? [] : [{ tag: "91", value: fromHex(authentication) }]),
      ];
      const last = await ask("continue-transaction", issuer);
      if (toHex(findTag(last, "9F27") ?? new Uint8Array(0)) !== "40") throw new Error("the card did not agree");
      const taken = Number(process.hrtime.bigint() - started) / 1e6;
      await post(`v1/payments/${reserved.id}`, {
        amount,
        currency: "EUR",
        paymentType: "CP",
        merchantTransactionId: `bare-cp-${started}`,
      });
      const empty = terminal.event((body) => toHex(body).includes("48020000"));
      send("display", { data: fromAscii("APPROVED\nPLEASE REMOVE CARD") });
      await Promise.all([terminal.answer(), empty]);
      return taken;
    },
    close: () => new Promise((resolve) => port.close(() => resolve())),
  };
}

interface Listening {
  answer(): Promise<Uint8Array>;
  event(wanted: (body: Uint8Array) => boolean): Promise<void>;
}

function listen(port: SerialPort): Listening {
  let deframer = newDeframer;
  const answers: Uint8Array[] = [];
  const waiting: ((body: Uint8Array) => void)[] = [];
  const watchers = new Set<(body: Uint8Array) => void>();
  port.on("data", (bytes: Buffer) => {
    const { state, messages } = push(deframer, new Uint8Array(bytes));
    deframer = state;
    for (const { unsolicited, body } of messages) {
      if (unsolicited) for (const watch of watchers) watch(body);
      else (waiting.shift() ?? ((late) => void answers.push(late)))(body);
    }
  });
  return {
    answer: () =>
      new Promise((resolve) =>
        answers.length > 0 ? resolve(answers.shift() ?? new Uint8Array(0)) : void waiting.push(resolve),
      ),
    event: (wanted) =>
      new Promise((resolve) => {
        const watch = (body: Uint8Array): void => {
          if (!wanted(body)) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
      }),
  };
}

function startFields(minor: number): readonly Tlv[] {
  const now = new Date().toISOString().replaceAll(/[^0-9]/g, "");
  const value = {
    "9C": "00",
    "9F02": String(minor).padStart(12, "0"),
    "9A": now.slice(2, 8),
    "9F21": now.slice(8, 14),
    DFA204: "01",
    DFA203: "00",
    "5F2A": "0978",
  };
  return Object.entries(value).map(([tag, hex]) => ({ tag, value: fromHex(hex) }));
}

function cardFields(card: readonly Tlv[]): Record<string, string> {
  const hex = (tag: string): string => toHex(findTag(card, tag) ?? new Uint8Array(0));
  return {
    "pos.entryMode": "ICC",
    "pos.terminalId": "12345678",
    "pos.deviceType": "MIURA_M020",
    "pos.iccDataRequest": iccDataRequestOf(clearable(card)),
    "pos.encryptedSred.data": hex(tags.sredData),
    "pos.encryptedSred.ksn": hex(tags.sredKsn),
    "pos.encryptedPin.data": hex(tags.pinData),
    "pos.encryptedPin.ksn": hex(tags.pinKsn),
  };
}

function exchange(url: URL, token: string, body: string): Promise<{ id: string; icc: string | undefined }> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/x-www-form-urlencoded" };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: "POST", headers }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (piece: string) => {
        text += piece;
      });
      incoming.on("end", () => {
        const id = /"id":"([^"]+)"/.exec(text)?.[1];
        if (id === undefined || !/"code":"000\./.test(text)) reject(new Error(`not approved: ${text}`));
        else resolve({ id, icc: /"iccDataResponse":"([^"]+)"/.exec(text)?.[1] });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
