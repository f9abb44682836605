import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeMessage, type Message, parseMessage, printable } from "../../../../drivers/magtek-dynaflex/message.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import { vectors } from "./vectors.ts";

/** A message in words. */
function told(message: Message | string): object | string {
  if (typeof message === "string") return message;
  switch (message.is) {
    case "request":
      return { is: message.is, ref: message.ref, number: message.command, payload: toHex(message.payload) };
    case "response":
      return {
        is: message.is,
        ref: message.ref,
        number: message.command,
        summary: message.summary,
        detail: message.detail,
        payload: toHex(message.payload),
      };
    case "notification":
      return { is: message.is, ref: 0, number: message.id, code: message.code, payload: toHex(message.payload) };
    case "other":
      return { is: "other" };
  }
}

describe("published messages", () => {
  test.each(vectors.messages)("$meaning is read", ({ hex, meaning: _meaning, source: _source, ...fields }) => {
    expect(told(parseMessage(fromHex(hex)))).toEqual(fields);
  });

  test("requests, and what has no needlessly long length, are written as they were", () => {
    const plain = vectors.messages.filter(
      ({ hex, is, payload }) =>
        !hex.includes("848200") && (is === "request" || payload !== "" || !hex.includes("8402")),
    );
    expect(plain.length).toBeGreaterThan(15);
    for (const { hex } of plain) {
      const message = parseMessage(fromHex(hex));
      if (typeof message === "string" || message.is === "other") throw new Error(`${hex} is no message`);
      expect(toHex(encodeMessage(message))).toBe(hex);
    }
  });

  test.each([
    "startTxnFullEmv",
    "resumeTxn",
    "cancel",
    "notifInserted",
    "notifApproved",
    "notifTimeout",
    "notifMsrFallback",
  ] as const)("%s is read and written", (name) => {
    const message = parseMessage(fromHex(vectors.synthetic[name]));
    if (typeof message === "string" || message.is === "other") throw new Error(`${name} is no message`);
    expect(toHex(encodeMessage(message))).toBe(vectors.synthetic[name]);
  });
});

describe("messages", () => {
  test.each([
    ["", "does not begin with AA"],
    ["AB00", "does not begin with AA"],
    ["AA008104", "no TLV"],
    ["AA00820400000000", "without its head"],
    ["AA00810201018404", "no TLV"],
    ["AA0081048201DF01", "without its status"],
    ["AA0081048201DF01820100", "without its status"],
    ["AA0081048300010582020000", "without its code"],
  ])("%s is none", (hex, why) => {
    expect(parseMessage(fromHex(hex))).toContain(why);
  });

  test("a file, and a message of another direction, are passed over", () => {
    expect(parseMessage(fromHex("AA0081088408D8210000000184020102"))).toEqual({ is: "other" });
    expect(parseMessage(fromHex("AA0081040201DF01"))).toEqual({ is: "other" });
  });

  test("a payload about something else is none, and a later version of the framework is read", () => {
    expect(parseMessage(fromHex("AA00810483000101820430080002840518050102FF"))).toMatchObject({
      is: "notification",
      payload: new Uint8Array(0),
    });
    expect(parseMessage(fromHex("AA01810483000105820410020600"))).toMatchObject({
      is: "notification",
      code: "10020600",
    });
  });

  test("nothing is thrown, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        parseMessage(bytes);
        parseMessage(Uint8Array.of(0xaa, 0x00, ...bytes));
        parseMessage(Uint8Array.of(0xaa, 0x00, 0x81, 0x04, 0x82, 0x01, 0xd1, 0x01, ...bytes));
      }),
    );
  });

  test("text of a device ends at its zeros and shows nothing that is not printable", () => {
    expect(printable(fromHex("44796E61466C65780000"))).toBe("DynaFlex");
    expect(printable(Uint8Array.of(0x41, 0x07, 0xe4))).toBe("A??");
  });
});
