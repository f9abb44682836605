import { z } from "zod";
import type { Exchange } from "./exchange.ts";
import type { Recorded } from "./method-exchanges.ts";
import { type ApiDocument, objectRows, parameterRows, type Row } from "./tables.ts";

/** What the page would leave unsaid: a method or error without an exchange, a field without a meaning. */
export function gapsOf(
  { methods, components, "x-notifications": told }: ApiDocument,
  recorded: Recorded,
): readonly string[] {
  const { schemas, errors } = components;
  const unsaid = (where: string, rows: readonly Row[]): readonly string[] =>
    rows
      .filter(({ meaning }) => meaning === "")
      .map(({ name }) => `${where} ${name}: no meaning (.describe at its schema)`);
  return [
    ...methods.flatMap((method) => [
      ...(isResult(recorded.methods.get(method.name)) ? [] : [`${method.name}: no exchange (test/contract/reference)`]),
      ...(method.summary === "" ? [`${method.name}: no meaning`] : []),
      ...unsaid(`${method.name} parameter`, parameterRows(method, schemas)),
      ...unsaid(`${method.name} result`, objectRows(method.result.schema, schemas)),
    ]),
    ...told.flatMap(({ name, params }) => [
      ...(recorded.notifications.has(name) ? [] : [`${name}: not recorded`]),
      ...unsaid(name, objectRows(params, schemas)),
    ]),
    ...Object.entries(schemas).flatMap(([name, schema]) => [
      ...unsaid(name, objectRows(schema, schemas)),
      ...(schema.description === undefined ? [`${name}: no meaning`] : []),
    ]),
    ...Object.entries(errors).flatMap(([code, { message, "x-fix": fix }]) => [
      ...(codeOf(recorded.errors.get(code)) === code ? [] : [`error ${code}: no exchange (test/contract/reference)`]),
      ...(message === "" || fix === "" ? [`error ${code}: no meaning`] : []),
    ]),
  ];
}

const isResult = (exchange: Exchange | undefined): boolean =>
  z.object({ result: z.json() }).safeParse(exchange?.response).success;

const codeOf = (exchange: Exchange | undefined): string | undefined =>
  z.object({ error: z.object({ data: z.object({ code: z.string() }) }) }).safeParse(exchange?.response).data?.error.data
    .code;
