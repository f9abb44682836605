import { describe, expect, it } from "vitest";
import { driverModels } from "../../../drivers/index.ts";
import { terminalLine } from "../../../src/agent/lines.ts";
import { knownModels } from "../../../src/agent/models.ts";
import { parseConfiguration } from "../../../src/config/parse.ts";
import type { Surroundings } from "../../../src/config/surroundings.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { SMALLEST, surroundings } from "./surroundings.ts";

const around = (links: Record<string, string> = {}): Surroundings => ({
  ...surroundings({ links }),
  models: knownModels(driverModels),
});

const terminal = (model: string, connection: string, more = ""): string =>
  SMALLEST.replace("model: miura-m020", `model: ${model}`).replace("{ serial: /dev/ttyACM0 }", connection) + more;

/** Every problem as "line path: message". */
function problems(text: string, on = around()): readonly string[] {
  const reading = parseConfiguration(text, "/etc/posbridge/posbridge.yaml", on);
  return reading.ok ? [] : reading.problems.map(({ line, path, message }) => `${line ?? "-"} ${path}: ${message}`);
}

const ways = {
  serial: "{ serial: /dev/ttyACM0 }",
  tcp: "{ tcp: 192.168.1.20:6543 }",
  usb: "{ usb: { vendorId: 0x0801, productId: 0x2020 } }",
  websocket: "{ websocket: 192.168.1.20:80 }",
} as const;
const kinds = ["serial", "tcp", "usb", "websocket"] as const;

const pairs = driverModels.flatMap((model) =>
  kinds.map((kind) => ({ model, id: model.id, kind, has: model.lines.some((line) => line.kind === kind) })),
);

describe("a way that the model does not have", () => {
  it.each(pairs)("$id by $kind: $has, in check-config as in run", ({ model, id, kind, has }) => {
    const text = terminal(id, ways[kind]);
    const mend = model.lines.map((line) => line.kind).join(" or ");
    expect(problems(text)).toEqual(
      has ? [] : [`12 terminals[0].connection.${kind}: is no way to a ${id}; connect it by ${mend}`],
    );
    const reading = parseConfiguration(text, "/etc/posbridge/posbridge.yaml", {
      ...around(),
      models: [{ id, lines: kinds.map((each) => ({ kind: each })), optionsProblem: () => undefined }],
    });
    const [settings] = reading.ok ? reading.configuration.terminals : [];
    if (settings === undefined) throw new Error("no terminal");
    const on = {
      model,
      options: {},
      clock: createVirtualClock(0),
      known: () => ({}),
      others: () => [],
      moved: () => undefined,
    };
    if (has) expect(terminalLine(settings, on)).toHaveProperty("open");
    else
      expect(() => terminalLine(settings, on)).toThrow(
        `terminal till-1: model ${id} has no ${kind} line; connect it by ${mend}`,
      );
  });

  it("is not told of one that has two ways, or a model that is not known: those come first", () => {
    expect(problems(terminal("magtek-dynaflex", "{ tcp: 'a:1', serial: /dev/a }"))).toEqual([
      "12 terminals[0].connection: has serial and tcp of serial, tcp, usb and websocket; write exactly one",
    ]);
    expect(problems(terminal("toaster", ways.tcp))).toEqual([
      expect.stringContaining("terminals[0].model: is not a model this version knows"),
    ]);
  });
});

describe("options", () => {
  it("are those of the model", () => {
    expect(problems(terminal("magtek-dynaflex", ways.websocket, "    options: { baudRate: '9600' }\n"))).toEqual([
      "14 terminals[0].options: magtek-dynaflex has no option baudRate; it has none at all: remove it",
    ]);
  });

  it.each(driverModels.filter(({ options }) => options.length > 0))(
    "of $id take their usual values, and no nonsense",
    ({ id, options, lines }) => {
      const connection = ways[lines[0]?.kind ?? "serial"];
      const set = (value: (usual: string) => string): string =>
        options.map(({ name, usual }) => `      ${name}: ${JSON.stringify(value(usual))}\n`).join("");
      expect(problems(terminal(id, connection, `    options:\n${set((usual) => usual)}`))).toEqual([]);
      expect(problems(terminal(id, connection, `    options:\n${set(() => "\\u00a7")}`))).toEqual([
        expect.stringContaining(`terminals[0].options: ${id} does not take`),
      ]);
    },
  );
});

describe("addresses", () => {
  it.each([
    "{ tcp: 'user@host:1' }",
    "{ tcp: 'a?b:1' }",
    "{ websocket: 'ws://a:80' }",
    "{ websocket: 'wss://a:443' }",
    "{ websocket: 'a%20b:80' }",
  ])("%s is none", (connection) => {
    expect(problems(terminal("miura-m020", connection), { ...surroundings() })).toEqual([
      expect.stringMatching(/^12 terminals\[0\]\.connection\.(tcp|websocket): must be host:port/),
    ]);
  });

  it("of two terminals that lead to one device under different names are one", () => {
    const more = (model: string, connection: string): string =>
      `  - { id: till-2, model: ${model}, connection: ${connection}, terminalId: "2" }\n`;
    const expected = ["14 terminals[1].connection: names the device that terminals[0] has already; change one of them"];
    const links = { "/dev/serial/by-id/usb-Miura": "/dev/ttyACM0" };
    expect(problems(SMALLEST + more("miura-m020", "{ serial: /dev/serial/by-id/usb-Miura }"), around(links))).toEqual(
      expected,
    );
    expect(
      problems(
        terminal("magtek-dynaflex", "{ websocket: 'DF-B603226:80' }") +
          more("magtek-dynaflex", "{ websocket: 'df-b603226:80' }"),
      ),
    ).toEqual(expected);
  });
});
