import { format, inspect } from "node:util";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { Secret } from "../../../src/kit/secret.ts";

const PAN = "4761739001010010";
const secret = new Secret(PAN);
const holding = { card: { pan: secret, list: [secret], map: new Map([["pan", secret]]) } };

function logged(write: (log: pino.Logger) => void): string {
  const lines: string[] = [];
  write(pino({}, { write: (line: string) => void lines.push(line) }));
  return lines.join("");
}

describe("a secret", () => {
  test("gives its value to whoever asks for it by name", () => {
    expect(secret.reveal()).toBe(PAN);
  });

  test.each([
    ["JSON", () => JSON.stringify(holding)],
    ["JSON of the secret alone", () => JSON.stringify(secret)],
    ["inspect", () => inspect(holding, { depth: null, showHidden: true, getters: true })],
    [
      "inspect without custom inspection",
      () => inspect(holding, { depth: null, showHidden: true, customInspect: false }),
    ],
    ["format", () => format("%s %o %O %j %d", secret, secret, secret, secret, secret)],
    ["a template", () => `${secret}`],
    ["concatenation", () => `x${String(secret)}`],
    [
      "its keys and entries",
      () => JSON.stringify([Object.keys(secret), Object.entries(secret), Reflect.ownKeys(secret).map(String)]),
    ],
    ["a spread", () => JSON.stringify({ ...secret })],
    ["a structured clone", () => JSON.stringify(structuredClone(holding.card.pan))],
    ["an error's cause", () => inspect(new Error(`failed for ${secret}`, { cause: holding }))],
    ["a log line", () => logged((log) => log.info({ holding, secret }, `seen ${secret}`))],
  ])("is not in %s", (_, shown) => {
    expect(shown()).not.toContain(PAN);
    expect(shown()).not.toContain(PAN.slice(6, 12));
  });

  test("says that it is one where it is shown", () => {
    expect([JSON.stringify({ secret }), inspect(secret), `${secret}`]).toEqual([
      '{"secret":"[secret]"}',
      "[secret]",
      "[secret]",
    ]);
  });
});
