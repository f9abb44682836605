import { z } from "zod";
import { paymentViewSchema } from "../../payment/view-schema.ts";
import { API_VERSION } from "../methods/session-open.ts";
import { ERROR_MEANINGS, type ErrorCode } from "./error-meanings.ts";
import type { RegisterMethod } from "./method.ts";
import { methods } from "./method-registry.ts";
import { ERROR_NUMBERS, refusalCodes } from "./rpc.ts";
import {
  changeSchema,
  errorSchema,
  helloSchema,
  pairedSchema,
  pairingRefusedSchema,
  receiptSchema,
  terminalViewSchema,
} from "./schemas.ts";
import { tracedSchema } from "./technician-schemas.ts";

const objectSchema = z.object({
  properties: z.record(z.string(), z.json()).optional(),
  required: z.array(z.string()).optional(),
});

const named: readonly (readonly [string, z.ZodType])[] = [
  ["Payment", paymentViewSchema],
  ["Terminal", terminalViewSchema],
  ["Receipt", receiptSchema],
  ["Error", errorSchema],
];

const sameSchema = (a: z.core.$ZodType, b: z.core.$ZodType): boolean => a === b;

/** The JSON schema of a schema; the named ones inside it become references. */
function schemaOf(schema: z.core.$ZodType): z.core.util.JSONType {
  const json = z.toJSONSchema(schema, {
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      const name = sameSchema(zodSchema, schema)
        ? undefined
        : named.find(([, known]) => sameSchema(known, zodSchema))?.[0];
      if (name === undefined) return;
      for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
      jsonSchema.$ref = `#/components/schemas/${name}`;
    },
  });
  const { $schema: _dialect, "~standard": _standard, ...plain } = json;
  return z.json().parse(plain);
}

function describe(method: RegisterMethod): z.core.util.JSONType {
  const { properties = {}, required = [] } = objectSchema.parse(schemaOf(method.params));
  return {
    name: method.name,
    summary: method.summary,
    ...(method.notes && { description: method.notes.join("\n") }),
    paramStructure: "by-name",
    params: Object.entries(properties).map(([name, schema]) => ({ name, required: required.includes(name), schema })),
    result: { name: "result", schema: schemaOf(method.result) },
    "x-scopes": [...method.scopes],
  };
}

/** `code` is JSON-RPC's number; registers read `data.code`, the name here. */
function errors(): z.core.util.JSONType {
  const isCode = (code: string): code is ErrorCode => Object.hasOwn(ERROR_MEANINGS, code);
  return Object.fromEntries(
    Object.keys(ERROR_NUMBERS)
      .filter(isCode)
      .map((code) => {
        const [message, fix] = ERROR_MEANINGS[code];
        return [code, { code: ERROR_NUMBERS[code], message, "x-fix": fix }];
      }),
  );
}

/** The OpenRPC description of the register API, made from the schemas that validate it. */
export function openRpcDocument(version: string): z.core.util.JSONType {
  return {
    openrpc: "1.3.2",
    info: {
      title: "posbridge register API",
      version,
      description: `JSON-RPC 2.0 over WebSocket at /v1, API version ${API_VERSION}. Text frames, one object each.`,
    },
    methods: methods.map(describe),
    "x-notifications": [
      { name: "bridge.hello", params: schemaOf(helloSchema) },
      { name: "session.paired", params: schemaOf(pairedSchema) },
      { name: "session.pairingRefused", params: schemaOf(pairingRefusedSchema) },
      { name: "payment.changed", params: schemaOf(changeSchema) },
      { name: "terminal.traced", params: schemaOf(tracedSchema) },
    ],
    "x-refusals": [...refusalCodes],
    components: {
      schemas: Object.fromEntries(named.map(([name, schema]) => [name, schemaOf(schema)])),
      errors: errors(),
    },
  };
}
