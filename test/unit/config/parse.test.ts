import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseConfiguration } from "../../../src/config/parse.ts";
import { fileOf, LIVE, SMALLEST, surroundings, USER } from "./surroundings.ts";

const FILE = "/etc/posbridge/posbridge.yaml";

const parse = (text: string, around = surroundings()) => parseConfiguration(text, FILE, around);

/** Every problem as "line path: message". */
function problems(text: string, around = surroundings()): readonly string[] {
  const reading = parse(text, around);
  return reading.ok ? [] : reading.problems.map(({ line, path, message }) => `${line ?? "-"} ${path}: ${message}`);
}

const with_ = (from: string, to: string, base = SMALLEST): string => {
  expect(base).toContain(from);
  return base.replace(from, to);
};

describe("a configuration that passes", () => {
  it("has every default filled in and every path absolute", () => {
    const reading = parse(SMALLEST);
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    const { gateway, ...rest } = reading.configuration;
    expect(rest).toEqual({
      file: "/etc/posbridge/posbridge.yaml",
      environment: "test",
      listen: { host: "127.0.0.1", port: 7717 },
      dataDir: "/etc/posbridge/data",
      merchant: { name: "Corner Shop", country: "DE", address: [], vatId: "", language: "en" },
      terminals: [
        {
          id: "till-1",
          model: "miura-m020",
          connection: { kind: "serial", path: "/dev/ttyACM0" },
          options: {},
          terminalId: "12345678",
          entityId: "8a8294174b7ecb28014b9699220015ca",
          settlement: "dual",
          settlementByBrand: {},
        },
      ],
      timeouts: { cardMs: 60_000, pinMs: 60_000, hostAnswerMs: 45_000, removalMs: 30_000, unknownWindowMs: 1_800_000 },
      fallback: { allowed: true, chipTries: 3, withinMs: 60_000 },
      origins: [],
      ...{ journal: { archiveAfterDays: 90 }, log: { maxBytes: 10_485_760, keep: 9, level: "info" } },
    });
    expect(gateway).toMatchObject({
      baseUrl: "http://127.0.0.1:7718/",
      entityId: "8a8294174b7ecb28014b9699220015ca",
      settlement: "dual",
    });
    expect(gateway.accessToken.reveal()).toBe("the-token");
    expect(JSON.stringify(reading.configuration)).not.toContain("the-token");
  });

  it("takes the log's file relative to its own folder, and its limits as they are documented", () => {
    const log = (text: string) => parse(`${SMALLEST}log: { ${text} }\n`);
    expect(log("file: ./log/posbridge.log, maxBytes: 65536, keep: 100, level: debug")).toMatchObject({
      configuration: { log: { file: "/etc/posbridge/log/posbridge.log", maxBytes: 65_536, keep: 100, level: "debug" } },
    });
    const wrong = log("maxBytes: 65535, keep: 101, level: trace");
    expect(wrong.ok ? [] : wrong.problems.map(({ path, message }) => `${path} ${message}`)).toEqual([
      "log.maxBytes must be a whole number from 65536 to 1073741824 (bytes); change it",
      "log.keep must be a whole number from 1 to 100 (files); change it",
      "log.level must be debug or info or warn or error; change it",
    ]);
  });

  it("takes a terminal's own channel and settlement before the gateway's", () => {
    const text = `${SMALLEST}    entityId: "00000000000000000000000000000001"\n    settlement: single\n`;
    const reading = parse(text);
    expect(reading.ok && reading.configuration.terminals[0]).toMatchObject({
      entityId: "00000000000000000000000000000001",
      settlement: "single",
    });
  });

  it.each([
    ["settlementByBrand: { AMEX: single }", "", "dual", { AMEX: "single" }],
    ["settlementByBrand: { AMEX: single }", "settlementByBrand: { MASTER: single }", "dual", { MASTER: "single" }],
    ["settlementByBrand: { AMEX: single }", "settlement: single", "single", {}],
    ["settlement: single", "settlementByBrand: { AMEX: dual }", "single", { AMEX: "dual" }],
  ])(
    "settles by brand as the gateway says (%s), where a terminal says nothing of its own (%s)",
    (ofGateway, ofTerminal, settlement, settlementByBrand) => {
      const text = `${SMALLEST.replace("terminals:", `  ${ofGateway}\nterminals:`)}    ${ofTerminal}\n`;
      const reading = parse(text);
      expect(reading.ok && reading.configuration.terminals[0]).toMatchObject({ settlement, settlementByBrand });
    },
  );

  it.each([
    ["{ tcp: 192.168.1.20:6543 }", { kind: "tcp", host: "192.168.1.20", port: 6543 }],
    ["{ tcp: 'terminal.shop:1' }", { kind: "tcp", host: "terminal.shop", port: 1 }],
    ["{ websocket: 'df-b603226:80' }", { kind: "websocket", host: "df-b603226", port: 80 }],
    ["{ tcp: '[fe80::1]:65535' }", { kind: "tcp", host: "fe80::1", port: 65535 }],
    ["{ serial: ./line }", { kind: "serial", path: "/etc/posbridge/line" }],
    ["{ serial: COM3 }", { kind: "serial", path: "COM3" }],
    ["{ usb: { vendorId: 0x0acd, productId: 0x3530 } }", { kind: "usb", vendorId: 0x0acd, productId: 0x3530 }],
    [
      '{ usb: { vendorId: 2765, productId: 13616, serialNumber: "A" } }',
      { kind: "usb", vendorId: 0x0acd, productId: 0x3530, serialNumber: "A" },
    ],
  ])("reads the connection %s", (written, connection) => {
    const reading = parse(with_("{ serial: /dev/ttyACM0 }", written));
    expect(reading.ok && reading.configuration.terminals[0]?.connection).toEqual(connection);
  });

  it("takes the token from the environment", () => {
    const text = with_("accessTokenFile: ./gateway-token", "accessTokenEnv: TOKEN");
    const reading = parse(text, surroundings({ env: { TOKEN: "from-env" } }));
    expect(reading.ok && reading.configuration.gateway.accessToken.reveal()).toBe("from-env");
  });

  it("may be live", () => {
    expect(problems(LIVE)).toEqual([]);
  });

  it("may share values by anchors", () => {
    const text = with_("entityId: 8a", "entityId: &entity 8a").concat("    entityId: *entity\n");
    expect(problems(text)).toEqual([]);
  });
});

describe("problems of a value", () => {
  it.each([
    ["environment: test", "environment: prod", "1 environment: must be test or live; change it"],
    ["environment: test\n", "", '1 environment: is missing; add it, for example environment: "test"'],
    [
      "  country: DE",
      "  country: Germany",
      "4 merchant.country: must be two capital letters (ISO 3166), for example DE; change it",
    ],
    ["  name: Corner Shop", "  name: [a]", "3 merchant.name: must be text; put it in quotes"],
    [
      "  name: Corner Shop",
      '  name: "a\\nb"',
      "3 merchant.name: has control characters or line breaks; use plain text on one line",
    ],
    [
      "entityId: 8a82",
      "entityId: 8A82",
      "7 gateway.entityId: must be 32 lower-case hexadecimal digits; copy it from the gateway's administration",
    ],
    ['"12345678"', "12345678", "13 terminals[0].terminalId: must be text; put it in quotes"],
    [
      "entityId: 8a8294174b7ecb28014b9699220015ca",
      "entityId: 00000000000000000000000000000001",
      "7 gateway.entityId: must be text; put it in quotes",
    ],
    [
      '"12345678"',
      '"A2345678"',
      "13 terminals[0].terminalId: must be 1 to 32 digits, as the acquirer gave it; a number with letters cannot be sent to the gateway",
    ],
    [
      "- id: till-1",
      "- id: till 1",
      "10 terminals[0].id: must be 1 to 32 letters, digits, dots, dashes or underscores, beginning with a letter or digit; change it",
    ],
    [
      "model: miura-m020",
      "model: miura-m02",
      "11 terminals[0].model: is not a model this version knows; did you mean miura-m020?",
    ],
    [
      "model: miura-m020",
      "model: toaster",
      "11 terminals[0].model: is not a model this version knows; known models are miura-m020, pax-d135",
    ],
    [
      "{ serial: /dev/ttyACM0 }",
      "{}",
      "12 terminals[0].connection: has none of serial, tcp, usb and websocket; write exactly one",
    ],
    [
      "{ serial: /dev/ttyACM0 }",
      "{ serial: /dev/a, tcp: 'a:1' }",
      "12 terminals[0].connection: has serial and tcp of serial, tcp, usb and websocket; write exactly one",
    ],
    [
      "{ serial: /dev/ttyACM0 }",
      "{ tcp: nowhere }",
      "12 terminals[0].connection.tcp: must be host:port, for example 192.168.1.20:6543; change it",
    ],
    [
      "{ serial: /dev/ttyACM0 }",
      "{ tcp: 'a:65536' }",
      "12 terminals[0].connection.tcp: has a port outside 1 to 65535; change it",
    ],
    [
      "{ serial: /dev/ttyACM0 }",
      "{ websocket: nowhere }",
      "12 terminals[0].connection.websocket: must be host:port without ws:// (there is no TLS), for example 192.168.1.20:80; change it",
    ],
    [
      "{ serial: /dev/ttyACM0 }",
      "{ websocket: 'a:0' }",
      "12 terminals[0].connection.websocket: has a port outside 1 to 65535; change it",
    ],
    [
      "{ serial: /dev/ttyACM0 }",
      "{ usb: { vendorId: 0x0801 } }",
      "12 terminals[0].connection.usb.productId: must be a number, for example 0x0801; change it",
    ],
    [
      "{ serial: /dev/ttyACM0 }",
      "{ usb: { vendorId: 0, productId: 1 } }",
      "12 terminals[0].connection.usb.vendorId: must be a number from 1 to 65535; change it",
    ],
    [
      "{ serial: /dev/ttyACM0 }",
      "{ usb: { vendorId: 0x10000, productId: 1 } }",
      "12 terminals[0].connection.usb.vendorId: must be a number from 1 to 65535; change it",
    ],
    [
      "{ serial: /dev/ttyACM0 }",
      '{ usb: { vendorId: 0x0801, productId: 0x2020, serialNumber: "" } }',
      "12 terminals[0].connection.usb.serialNumber: is empty; write it as `terminals scan` shows it",
    ],
    ["http://127.0.0.1:7718/", "http://127.0.0.1:7718", "6 gateway.baseUrl: must end with a slash; add it"],
    ["http://127.0.0.1:7718/", "http://gateway.example/", "6 gateway.baseUrl: is http to another machine; use https"],
    [
      "http://127.0.0.1:7718/",
      "https://gateway.example/?a=b/",
      "6 gateway.baseUrl: must not have a query (?) or fragment (#); remove it",
    ],
    [
      "http://127.0.0.1:7718/",
      "https://me:secret@gateway.example/",
      "6 gateway.baseUrl: must not carry a user or password; put the access token into accessTokenFile",
    ],
    [
      "http://127.0.0.1:7718/",
      "ftp://gateway.example/",
      "6 gateway.baseUrl: must be an address that begins with https://; change it",
    ],
    [
      "  accessTokenFile",
      '  formerBaseUrls: ["https://old.example"]\n  accessTokenFile',
      "8 gateway.formerBaseUrls[0]: must end with a slash; add it",
    ],
    [
      "  accessTokenFile",
      "  acessTokenFile",
      "8 gateway.acessTokenFile: is not a known key; did you mean accessTokenFile?",
    ],
    ["merchant:\n", "merchnt: 1\nmerchant:\n", "2 merchnt: is not a known key; did you mean merchant?"],
    [
      "merchant:\n",
      "merchant:\n  flavour: sweet\n",
      "3 merchant.flavour: is not a known key; known here: name, address, vatId, country, language",
    ],
    [
      "terminals:\n",
      "  settlementByBrand: { AMX: single }\nterminals:\n",
      "9 gateway.settlementByBrand.AMX: is not a known key; did you mean AMEX?",
    ],
    [
      "terminals:\n",
      "  settlementByBrand: { AMEX: triple }\nterminals:\n",
      "9 gateway.settlementByBrand.AMEX: must be dual or single; change it",
    ],
    [
      "terminals:\n",
      "  settlementByBrand: single\nterminals:\n",
      "9 gateway.settlementByBrand: must be a mapping (key: value); indent its keys below it",
    ],
    ["merchant:\n", "__proto__: 1\nmerchant:\n", /^2 __proto__: is not a known key;/],
  ])("%j changed to %j is told", (from, to, problem) => {
    expect(problems(with_(from, to))).toContainEqual(
      typeof problem === "string" ? problem : expect.stringMatching(problem),
    );
  });

  it.each([
    [
      "timeouts: { cardMs: 4999 }",
      "timeouts.cardMs: must be a whole number from 5000 to 600000 (milliseconds); change it",
    ],
    [
      "timeouts: { cardMs: 600001 }",
      "timeouts.cardMs: must be a whole number from 5000 to 600000 (milliseconds); change it",
    ],
    [
      "timeouts: { pinMs: 1.5 }",
      "timeouts.pinMs: must be a whole number from 5000 to 300000 (milliseconds); change it",
    ],
    [
      "timeouts: { hostAnswerMs: soon }",
      "timeouts.hostAnswerMs: must be a whole number from 5000 to 120000 (milliseconds); change it",
    ],
    [
      "timeouts: { removalMs: 0 }",
      "timeouts.removalMs: must be a whole number from 1000 to 300000 (milliseconds); change it",
    ],
    [
      "timeouts: { unknownWindowMs: 0 }",
      "timeouts.unknownWindowMs: must be a whole number from 1000 to 86400000 (milliseconds); change it",
    ],
    ["fallback: { chipTries: 6 }", "fallback.chipTries: must be a whole number from 1 to 5; change it"],
    [
      "fallback: { withinMs: 999 }",
      "fallback.withinMs: must be a whole number from 1000 to 600000 (milliseconds); change it",
    ],
    ["fallback: { allowed: maybe }", "fallback.allowed: must be true or false; change it"],
    [
      "listen: { port: 65536 }",
      "listen.port: must be a whole number from 0 to 65535 (0 takes any free one); change it",
    ],
    ["listen: here", "listen: must be a mapping (key: value); indent its keys below it"],
    ["origins: https://till.example", "origins: must be a list; begin each line below it with a dash"],
    [
      "origins: ['*']",
      "origins[0]: must be an exact origin without path or wildcard, for example https://till.example; change it",
    ],
    [
      "origins: ['https://till.example/']",
      "origins[0]: must be an exact origin without path or wildcard, for example https://till.example; change it",
    ],
    ["dataDir: ''", "dataDir: is empty; name a file or folder"],
    [
      "listen: { host: 0.0.0.0 }",
      "listen.host: is open to other machines without encryption; use 127.0.0.1, or add listen.tls with cert and key",
    ],
  ])("%s is told", (line, problem) => {
    expect(problems(SMALLEST + line)).toEqual([`14 ${problem}`]);
  });

  it.each([
    ['{ latitude: "91.0", longitude: "8.6" }', "latitude: must be from -90 to 90 degrees; change it"],
    ['{ latitude: "50.1", longitude: "-180.1" }', "longitude: must be from -180 to 180 degrees; change it"],
    [
      '{ latitude: "50", longitude: "8.6" }',
      'latitude: must be a decimal number with 1 to 8 decimals in quotes, for example "50.1109"; change it',
    ],
    [
      '{ latitude: "50.1", longitude: "8.6", accuracy: "1.5" }',
      'accuracy: must be whole metres in quotes, for example "10"; change it',
    ],
  ])("the location %s is told", (location, problem) => {
    expect(problems(`${SMALLEST}    location: ${location}`)).toEqual([`14 terminals[0].location.${problem}`]);
  });

  it("allows 64 terminals and refuses the 65th", () => {
    const terminal = (at: number): string =>
      `  - { id: t${at}, model: miura-m020, connection: { serial: /dev/t${at} }, terminalId: "${at}" }\n`;
    const head = SMALLEST.slice(0, SMALLEST.indexOf("  - id"));
    const of = (count: number): string => head + Array.from({ length: count }, (_, at) => terminal(at)).join("");
    expect(problems(of(64))).toEqual([]);
    expect(problems(of(65))).toEqual(["9 terminals: has more than 64 terminals; run a second bridge"]);
  });

  it.each([
    ["[https://bridge.example]", "names[0]: must be a host name or an address alone, without scheme, port or wildcard"],
    ["['bridge.example:7717']", "names[0]: must be a host name or an address alone"],
    ["['*.example']", "names[0]: must be a host name or an address alone"],
    ["['']", "names[0]: must be a host name or an address alone"],
    [
      "[shop.example, '0.0.0.0']",
      "names[1]: is every address, by which no register can ask; name the ones that registers use",
    ],
    ["['::']", "names[0]: is every address"],
    ["[]", "names: is empty; name one, or leave the key out"],
    ["[7]", "names[0]: must be text; put it in quotes"],
    [
      `[${Array.from({ length: 33 }, (_, at) => `shop-${at}.example`).join(", ")}]`,
      "names: has more than 32 names; remove some",
    ],
  ])("refuses listen.names %s", (names, problem) => {
    expect(problems(`${SMALLEST}listen: { names: ${names} }\n`)).toEqual([
      expect.stringContaining(`listen.${problem}`),
    ]);
  });

  it("takes 32 names, as they are written", () => {
    const names = [
      "Bridge.example",
      "fd00::1",
      "[fd00::2]",
      ...Array.from({ length: 29 }, (_, at) => `shop-${at}.example`),
    ];
    const reading = parse(`${SMALLEST}listen: { names: ${JSON.stringify(names)} }\n`);
    expect(reading.ok && reading.configuration.listen.names).toEqual(names);
  });

  it("allows 32 origins and refuses the 33rd", () => {
    const of = (count: number): string =>
      `${SMALLEST}origins: [${Array.from({ length: count }, (_, at) => `"https://t${at}.example"`).join(", ")}]`;
    expect(problems(of(32))).toEqual([]);
    expect(problems(of(33))).toEqual(["14 origins: has more than 32 origins; remove some"]);
  });
});

describe("problems between values", () => {
  const second = (id: string, connection: string): string =>
    `  - { id: ${id}, model: miura-m020, connection: ${connection}, terminalId: "2" }\n`;

  it("two terminals do not share an id", () => {
    expect(problems(SMALLEST + second("till-1", "{ serial: /dev/b }"))).toEqual([
      "14 terminals[1].id: is the id that terminals[0] has already; change one of them",
    ]);
  });

  it("two terminals on USB are told apart by their serial numbers", () => {
    const usb = (serial: string): string => `{ usb: { vendorId: 0x0801, productId: 0x2020${serial} } }`;
    const both = (one: string, two: string): string =>
      with_("{ serial: /dev/ttyACM0 }", usb(one)) + second("till-2", usb(two));
    expect(problems(both(', serialNumber: "A"', ', serialNumber: "B"'))).toEqual([]);
    expect(problems(both(', serialNumber: "A"', ', serialNumber: "A"'))).toEqual([
      "14 terminals[1].connection: names the device that terminals[0] has already; change one of them",
    ]);
    expect(problems(both(', serialNumber: "A"', ""))).toEqual([
      "14 terminals[1].connection.usb: has no serialNumber, and another terminal is of the same make; add it",
    ]);
  });

  it("two terminals do not share a device, however its path is written", () => {
    expect(problems(SMALLEST + second("till-2", "{ serial: /dev/../dev/ttyACM0 }"))).toEqual([
      "14 terminals[1].connection: names the device that terminals[0] has already; change one of them",
    ]);
  });

  it.each([
    ["https://gateway.example/", "http://127.0.0.1:7718/", "6 gateway.baseUrl: is this machine"],
    ["https://gateway.example/", "https://localhost/", "6 gateway.baseUrl: is this machine"],
    ["https://gateway.example/", "https://[::1]:7718/", "6 gateway.baseUrl: is this machine"],
    [
      "  accessTokenFile",
      "  testMode: INTERNAL\n  accessTokenFile",
      "8 gateway.testMode: is refused with environment: live; remove it",
    ],
    ["/dev/ttyACM0", "/dev/pts/3", "12 terminals[0].connection.serial: is a pseudo-terminal"],
    ["/dev/ttyACM0", "/tmp/miura", "12 terminals[0].connection.serial: is a pseudo-terminal"],
    ["serial: /dev/ttyACM0", "tcp: 127.0.0.1:6543", "12 terminals[0].connection.tcp: is this machine"],
    ["serial: /dev/ttyACM0", "websocket: 127.0.0.1:80", "12 terminals[0].connection.websocket: is this machine"],
    [
      "environment: live",
      "environment: live\ntimeouts: { unknownWindowMs: 1799999 }",
      "2 timeouts.unknownWindowMs: must be at least 1800000 with environment: live",
    ],
  ])("live refuses: %j changed to %j", (from, to, problem) => {
    const around = surroundings({ links: { "/tmp/miura": "/dev/pts/4" } });
    const text = with_(from, to, LIVE);
    expect(problems(text, around)).toEqual([expect.stringContaining(problem)]);
    expect(problems(text.replace("environment: live", "environment: test"), around)).toEqual([]);
  });
});

describe("the access token", () => {
  const file = "/etc/posbridge/gateway-token";
  const eves = "which belongs to user 1001 and this is user 999";
  const asEve = "(sudo -u '#1001' posbridge ...)";
  it.each([
    [{ is: "absent" }, `names ${file}, which does not exist; create it or change the path`],
    [{ is: "unreadable", detail: "EACCES" }, `names ${file}, which cannot be read (EACCES); change its owner or mode`],
    [fileOf("hush-hush", 0o640), `names ${file}, which is open to others; run: chmod 600 ${file}`],
    [
      fileOf("hush-hush", 0o600, 1001),
      `names ${file}, ${eves}; run as its owner ${asEve}, or give it to the service: sudo chown 999 /etc/posbridge/file`,
    ],
    [
      fileOf("hush-hush", 0o600, USER, { mode: 0o775 }),
      `names ${file}, which lies below /etc/posbridge, where others may replace it; run: chmod go-w /etc/posbridge`,
    ],
    [
      fileOf("hush-hush", 0o600, USER, { uid: 1001 }),
      `names ${file}, which lies below /etc/posbridge, ${eves}; move it to a folder of root's, or run as that user ${asEve}`,
    ],
    [fileOf("hush hush"), `names ${file}, which must hold the access token alone, on one line; write it there`],
    [fileOf("\n"), `names ${file}, which must hold the access token alone, on one line; write it there`],
  ] as const)("in a file of the wrong content, owner or mode (%#) is told without showing it", (look, message) => {
    const told = problems(SMALLEST, surroundings({ files: { [file]: look } }));
    expect(told).toEqual([`8 gateway.accessTokenFile: ${message}`]);
    expect(told.join()).not.toContain("hush");
  });

  it.each([
    [
      "accessTokenEnv: TOKEN",
      {},
      "8 gateway.accessTokenEnv: names an environment variable that is not set; set it, or use accessTokenFile",
    ],
    [
      "accessTokenEnv: TOKEN",
      { TOKEN: "hush hush" },
      "8 gateway.accessTokenEnv: names an environment variable that must hold the access token alone, on one line; set it",
    ],
    [
      "accessTokenEnv: hush-hush",
      {},
      "8 gateway.accessTokenEnv: must be the name of an environment variable, not the secret itself; write for example GATEWAY_TOKEN",
    ],
    [
      "accessTokenEnv: toString",
      {},
      "8 gateway.accessTokenEnv: names an environment variable that is not set; set it, or use accessTokenFile",
    ],
    [
      "accessTokenEnv: TOKEN\n  accessTokenFile: x",
      { TOKEN: "t" },
      "8 gateway.accessTokenEnv: stands beside accessTokenFile; keep one of them",
    ],
    ["accessToken: hush-hush", {}, "8 gateway.accessToken: is not a known key; did you mean accessTokenEnv?"],
    [
      "settlement: dual",
      {},
      "5 gateway: has no access token; add accessTokenFile: ./gateway-token (a file of mode 600), or accessTokenEnv: NAME",
    ],
  ])("written as %j is told without showing it", (line, env, problem) => {
    const told = problems(with_("accessTokenFile: ./gateway-token", line), surroundings({ env }));
    expect(told).toContain(problem);
    expect(told.join()).not.toContain("hush");
  });
});

describe("the file as a whole", () => {
  it("tells every problem at once, in the order of the lines", () => {
    const text = with_("environment: test", "environment: prod")
      .replace("DE", "de")
      .replace("7718/", "7718")
      .replace("miura-m020", "nothing");
    expect(problems(text).map((problem) => problem.split(":")[0])).toEqual([
      "1 environment",
      "4 merchant.country",
      "6 gateway.baseUrl",
      "11 terminals[0].model",
    ]);
  });

  it.each([
    ["", "- : is empty; begin with the example: posbridge check-config --help"],
    ["just words", "1 : must be a mapping (key: value); indent its keys below it"],
    [`${SMALLEST}environment: live`, "14 : the same key stands here a second time; remove one of them"],
    ["a: 1\n---\nb: 2\n", "2 : a second document begins here; keep one document a file"],
    ["merchant:\n\tname: x", "2 : a tab is used as indentation; use spaces"],
    ["a: *missing", "- : has an alias (*name) that names nothing, or more than 100 of them; write the values out"],
    ['accessToken: "hush', "1 : a quote, bracket or colon is missing; complete it"],
  ])("%j is told", (text, problem) => {
    const told = problems(text);
    expect(told).toContain(problem);
    expect(told.join()).not.toContain("hush");
  });

  it("refuses aliases that make much of a short text", () => {
    const levels = ["a", "b", "c", "d"].map(
      (name, at, names) =>
        `${name}: &${name} [${Array.from({ length: 9 }, () => (at === 0 ? "x" : `*${names[at - 1]}`)).join(", ")}]`,
    );
    expect(problems(levels.join("\n"))).toEqual([
      expect.stringContaining("more than 100 of them; write the values out"),
    ]);
  });

  it("never throws, whatever the text, and always has either a configuration or a problem", () => {
    const lines = fc.constantFrom(
      ...SMALLEST.split("\n"),
      "- a",
      "a: &b [*b]",
      "? [x]: y",
      "!!set {a}",
      "{",
      "'",
      "terminals: {}",
      "origins: [1]",
      "listen: null",
      "<<: 1",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(lines, { maxLength: 20 }).map((chosen) => chosen.join("\n")),
    );
    fc.assert(
      fc.property(text, (written) => {
        const reading = parse(written);
        expect(reading.ok || reading.problems.length > 0).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
