import { z } from "zod";

const schema = z.looseObject({
  properties: z.record(z.string(), z.json()).optional(),
  required: z.array(z.string()).optional(),
  enum: z.array(z.json()).optional(),
  items: z.json().optional(),
  type: z.json().optional(),
  pattern: z.json().optional(),
  $ref: z.string().optional(),
});
const documentSchema = z.looseObject({
  methods: z.array(
    z.looseObject({
      name: z.string(),
      params: z.array(z.looseObject({ name: z.string(), required: z.boolean(), schema: z.json() })),
      result: z.looseObject({ schema: z.json() }),
    }),
  ),
  "x-notifications": z.array(z.looseObject({ name: z.string(), params: z.json() })),
  "x-refusals": z.array(z.string()),
  components: z.looseObject({ schemas: z.record(z.string(), z.json()) }),
});

/**
 * Who writes the value: the register (parameters) or the bridge (results and notifications). What breaks the other side
 * differs.
 */
type Writer = "register" | "bridge";

/**
 * Lists that may grow although the bridge writes them (contract, section 3: type, state, decision and outcome are
 * closed; advices are "at least" those).
 */
const OPEN_LISTS = new Set(["Payment.reason.advice"]);

/** What a register made for the accepted API would miss or be refused in the present one; empty when it works on. */
export function incompatibilities(accepted: unknown, present: unknown): readonly string[] {
  const before = documentSchema.parse(accepted);
  const now = documentSchema.parse(present);
  const methods = before.methods.flatMap((old) => {
    const fresh = now.methods.find(({ name }) => name === old.name);
    if (fresh === undefined) return [`${old.name} is gone`];
    const params = { was: asObject(old.params), is: asObject(fresh.params) };
    return [
      ...changes(`${old.name} params`, params.was, params.is, "register"),
      ...changes(`${old.name} result`, old.result.schema, fresh.result.schema, "bridge"),
    ];
  });
  const notifications = before["x-notifications"].flatMap((old) => {
    const fresh = now["x-notifications"].find(({ name }) => name === old.name);
    return fresh === undefined ? [`${old.name} is gone`] : changes(old.name, old.params, fresh.params, "bridge");
  });
  const components = Object.entries(before.components.schemas).flatMap(([name, old]) => {
    const fresh = now.components.schemas[name];
    return fresh === undefined ? [`${name} is gone`] : changes(name, old, fresh, "bridge");
  });
  const refusals = before["x-refusals"]
    .filter((code) => !now["x-refusals"].includes(code))
    .map((code) => `refusal ${code} is gone`);
  return [...methods, ...notifications, ...components, ...refusals];
}

function asObject(params: readonly { name: string; required: boolean; schema: unknown }[]): unknown {
  return {
    type: "object",
    properties: Object.fromEntries(params.map(({ name, schema: own }) => [name, own])),
    required: params.filter(({ required }) => required).map(({ name }) => name),
  };
}

function changes(where: string, was: unknown, is: unknown, writer: Writer): readonly string[] {
  const old = schema.safeParse(was).data;
  const now = schema.safeParse(is).data;
  if (old === undefined || now === undefined) return [];
  const found: string[] = [];
  if (JSON.stringify(old.type) !== JSON.stringify(now.type) || old.$ref !== now.$ref)
    found.push(`${where} has another type`);
  if (writer === "register" && JSON.stringify(old.pattern) !== JSON.stringify(now.pattern))
    found.push(`${where} has another pattern`);
  const values = (of: typeof old): readonly string[] => (of.enum ?? []).map((value) => JSON.stringify(value));
  const gone = values(old).filter((value) => !values(now).includes(value));
  // A closed list that a register reads may not grow either: it would meet a value that it cannot know.
  const isClosed = writer === "bridge" && old.enum !== undefined && !OPEN_LISTS.has(where);
  const added = isClosed ? values(now).filter((value) => !values(old).includes(value)) : [];
  found.push(
    ...gone.map((value) => `${where} has lost ${value}`),
    ...added.map((value) => `${where} has the new value ${value}`),
  );
  const required = (of: typeof old): readonly string[] => of.required ?? [];
  if (writer === "register")
    found.push(
      ...required(now)
        .filter((name) => !required(old).includes(name))
        .map((name) => `${where}.${name} is required now`),
    );
  else
    found.push(
      ...required(old)
        .filter((name) => !required(now).includes(name))
        .map((name) => `${where}.${name} is not sure to be there any more`),
    );
  for (const [name, own] of Object.entries(old.properties ?? {})) {
    const fresh = now.properties?.[name];
    found.push(
      ...(fresh === undefined ? [`${where}.${name} is gone`] : changes(`${where}.${name}`, own, fresh, writer)),
    );
  }
  if (old.items !== undefined) found.push(...changes(`${where}[]`, old.items, now.items, writer));
  return found;
}
