import { describe, expect, it } from "vitest";
import { equip } from "../../../src/config/equip.ts";
import { EMPTY_BOOK, type PairedBook, withPaired, withReplaced } from "../../../src/config/paired-book.ts";
import { parseConfiguration } from "../../../src/config/parse.ts";
import type { WrittenTerminal } from "../../../src/config/terminal-schema.ts";
import { LIVE, SMALLEST, surroundings } from "./surroundings.ts";

const said = { at: "2026-03-01T10:00:00.000Z", by: "anna" };
const around = surroundings({ links: { "/dev/serial/by-id/usb-1": "/dev/ttyACM0", "/tmp/till": "/dev/pts/3" } });
const bar: WrittenTerminal = {
  id: "bar",
  model: "miura-m020",
  connection: { serial: "/dev/ttyACM1" },
  options: {},
  terminalId: "20000001",
};

function configuration(text: string) {
  const reading = parseConfiguration(text, "/etc/posbridge/posbridge.yaml", around);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.configuration;
}

const pairing = (...terminals: readonly WrittenTerminal[]): PairedBook =>
  terminals.reduce((book, terminal) => withPaired(book, { ...said, terminal }), EMPTY_BOOK);

const findings = (text: string, book: PairedBook): readonly string[] => {
  const equipped = equip(configuration(text), book, around);
  return equipped.ok
    ? []
    : equipped.findings.map(({ terminal, path, message }) => `${terminal} ${path.join(".")} ${message}`);
};

describe("a configuration with the terminals of the data folder", () => {
  it("has them behind its own, with the shop's channel", () => {
    const equipped = equip(configuration(SMALLEST), pairing(bar), around);
    if (!equipped.ok) throw new Error(JSON.stringify(equipped.findings));
    expect(equipped.configuration.terminals.map(({ id }) => id)).toEqual(["till-1", "bar"]);
    expect(equipped.configuration.terminals[1]).toEqual({
      ...{
        id: "bar",
        model: "miura-m020",
        connection: { kind: "serial", path: "/dev/ttyACM1" },
        options: {},
        terminalId: "20000001",
      },
      ...{ entityId: "8a8294174b7ecb28014b9699220015ca", settlement: "dual", settlementByBrand: {} },
    });
  });

  it.each([
    [
      "an id that the file has",
      SMALLEST,
      { id: "till-1" },
      /^till-1 id is in the configuration file and paired .* terminals unpair till-1/,
    ],
    [
      "the device of the file's terminal",
      SMALLEST,
      { connection: { serial: "/dev/ttyACM0" } },
      /^bar connection names the device that terminal till-1 has already/,
    ],
    [
      "that device by another of its names",
      SMALLEST,
      { connection: { serial: "/dev/serial/by-id/usb-1" } },
      /names the device that terminal till-1 has/,
    ],
    [
      "a path that depends on the working folder",
      SMALLEST,
      { connection: { serial: "ttyACM1" } },
      /^bar connection\.serial must be an absolute path/,
    ],
    ["an unknown model", SMALLEST, { model: "miura-m02" }, /^bar model is not a model .* did you mean miura-m020/],
    [
      "two connections",
      SMALLEST,
      { connection: { serial: "/dev/ttyACM1", tcp: "a:1" } },
      /^bar connection has serial and tcp/,
    ],
    [
      "a line that the model has not",
      SMALLEST,
      { model: "pax-d135", connection: { usb: { vendorId: 1, productId: 2 } } },
      /is no way to a pax-d135/,
    ],
    [
      "an option that the model has not",
      SMALLEST,
      { options: { sound: "loud" } },
      /^bar options .* has no option sound/,
    ],
    ["a port that is none", SMALLEST, { connection: { tcp: "10.0.0.1:70000" } }, /has a port outside 1 to 65535/],
    [
      "a pseudo-terminal in a live shop",
      LIVE,
      { connection: { serial: "/tmp/till" } },
      /is a pseudo-terminal, which environment: live refuses/,
    ],
    [
      "this machine in a live shop",
      LIVE,
      { connection: { tcp: "127.0.0.1:4000" } },
      /is this machine, which environment: live refuses/,
    ],
  ])("does not take %s", (_, text, change, problem) => {
    const found = findings(text, pairing({ ...bar, ...change }));
    expect(found).toEqual([expect.stringMatching(problem)]);
  });

  it("takes a pseudo-terminal in a test shop, as the file does", () => {
    expect(findings(SMALLEST, pairing({ ...bar, connection: { serial: "/tmp/till" } }))).toEqual([]);
  });

  it("has 64 terminals at most, those of the file included", () => {
    const many = Array.from({ length: 64 }, (_, at) => ({
      ...bar,
      id: `t-${at}`,
      connection: { tcp: `10.0.0.1:${at + 1}` },
    }));
    expect(findings(SMALLEST, pairing(...many))).toEqual([
      "t-63 id is one more than 64 terminals; run a second bridge",
    ]);
    expect(findings(SMALLEST, pairing(...many.slice(1)))).toEqual([]);
  });
});

describe("a terminal of the file that was replaced", () => {
  const fileSays = { model: "miura-m020", connection: { serial: "/dev/ttyACM0" }, options: {}, terminalId: "12345678" };
  const now = { ...fileSays, model: "pax-d135", connection: { tcp: "10.0.0.9:4000" }, deviceType: "D135" };
  const book = withReplaced(EMPTY_BOOK, { ...said, id: "till-1", fileSays, now });
  const terminalIn = (text: string) => {
    const equipped = equip(configuration(text), book, around);
    if (!equipped.ok) throw new Error(JSON.stringify(equipped.findings));
    return { terminal: equipped.configuration.terminals[0], outdated: equipped.outdated.map(({ id }) => id) };
  };

  it("is the new device, on the channel of the old one", () => {
    const { terminal, outdated } = terminalIn(SMALLEST);
    expect(terminal).toMatchObject({
      id: "till-1",
      model: "pax-d135",
      connection: { kind: "tcp", host: "10.0.0.9", port: 4000 },
      deviceType: "D135",
    });
    expect(terminal?.entityId).toBe("8a8294174b7ecb28014b9699220015ca");
    expect(outdated).toEqual([]);
  });

  it("is what the file says once that was edited", () => {
    const { terminal, outdated } = terminalIn(SMALLEST.replace("ttyACM0", "ttyACM5"));
    expect(terminal).toMatchObject({ model: "miura-m020", connection: { path: "/dev/ttyACM5" } });
    expect(outdated).toEqual(["till-1"]);
  });

  it("is out of the world where the file has no such terminal any more", () => {
    expect(terminalIn(SMALLEST.replace("id: till-1", "id: till-9"))).toMatchObject({
      terminal: { id: "till-9", model: "miura-m020" },
      outdated: ["till-1"],
    });
  });

  it("cannot be a simulator in a live shop either", () => {
    const loopback = withReplaced(EMPTY_BOOK, {
      ...said,
      id: "till-1",
      fileSays,
      now: { ...now, connection: { tcp: "localhost:4000" } },
    });
    expect(findings(LIVE, loopback)).toEqual([
      expect.stringMatching(/^till-1 connection\.tcp is this machine, which environment: live refuses/),
    ]);
  });
});
