import fs from "node:fs";
import path from "node:path";
import { PassThrough } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { driverModels } from "../../../drivers/index.ts";
import { deviceView, matchingOf } from "../../../src/agent/devices.ts";
import { knownModels } from "../../../src/agent/models.ts";
import { linePrompt } from "../../../src/commands/line-prompt.ts";
import { type AnswerOptions, askAll } from "../../../src/commands/setup-answers.ts";
import { configurationOf, type Draft, fileText } from "../../../src/commands/setup-draft.ts";
import { type CloseTo, writeSetup } from "../../../src/commands/setup-files.ts";
import { deviceAnswer, type Offer, offersOf } from "../../../src/commands/setup-terminal.ts";
import { parseConfiguration } from "../../../src/config/parse.ts";
import { lookAtDevices } from "../../../src/transport/devices.ts";
import { fileOf, surroundings } from "../config/surroundings.ts";
import { freshFolder } from "../journal/folder.ts";
import { CABLE, fakeSystem, KEYBOARD, PED, READER } from "../transport/fake-system.ts";
import { scriptedPrompt } from "./scripted-prompt.ts";

const FILE = "/etc/posbridge/posbridge.yaml";
const ENTITY = "8a8294174b7ecb28014b9699220015ca";
const around = { ...surroundings(), models: knownModels(driverModels) };
const NO_OPTIONS: AnswerOptions = { withTerminal: true, yes: false };
const PERSON = {
  "Test or live?": [""],
  "Its address": [""],
  "Entity id": [ENTITY],
  "Access token": ["the-token"],
  Name: ["Corner Shop"],
  Country: ["de"],
  "Its number": ["1"],
  Model: [""],
  "Terminal id": ["12345678"],
  "Device type": [""],
};
const OFFER: Offer = {
  connection: { serial: "/dev/ttyACM0" },
  model: "miura-m020",
  words: "/dev/ttyACM0 (miura-m020)",
};

async function ask(
  answers: Readonly<Record<string, readonly string[]>>,
  options: Partial<AnswerOptions> = {},
  list: readonly Offer[] = [OFFER],
  isWatched = true,
) {
  const scripted = scriptedPrompt(answers, isWatched);
  const on = {
    file: FILE,
    around,
    prompt: scripted.prompt,
    models: driverModels,
    offers: async () => list,
    country: undefined,
  };
  return { ...scripted, draft: await askAll({ ...NO_OPTIONS, ...options }, "./data", on) };
}

describe("the questions", () => {
  it("make a sound configuration of the usual answers and five of one's own", async () => {
    const { draft, told } = await ask(PERSON);
    const reading = configurationOf(draft, { file: FILE, around });
    expect(reading).toMatchObject({
      ok: true,
      configuration: {
        environment: "test",
        merchant: { name: "Corner Shop", country: "DE" },
        gateway: { baseUrl: "http://127.0.0.1:7718/", entityId: ENTITY },
        terminals: [
          {
            id: "till-1",
            model: "miura-m020",
            terminalId: "12345678",
            deviceType: "MIURA_M020",
            connection: { kind: "serial", path: "/dev/ttyACM0" },
          },
        ],
      },
    });
    expect(told.filter((line) => / of 5: /.test(line)).length).toBe(5);
    expect(told).toContain("  1  /dev/ttyACM0 (miura-m020)");
  });

  it("leave the device type out for a real gateway, whose name for it only the acquirer knows", async () => {
    const { draft } = await ask({ ...PERSON, "Its address": ["https://gateway.example/"] });
    expect(draft.terminal).not.toHaveProperty("deviceType");
  });

  it.each<[question: string, wrong: string, right: string, said: RegExp]>([
    ["Test or live?", "prod", "test", /must be test or live/],
    ["Its address", "http://gateway.example/", "https://gateway.example/", /is http to another machine; use https/],
    ["Its address", "https://gateway.example", "https://gateway.example/", /must end with a slash/],
    ["Entity id", ENTITY.toUpperCase(), ENTITY, /32 lower-case hexadecimal digits/],
    ["Entity id", "", ENTITY, /an answer is needed/],
    ["Access token", "two words", "one", /must hold the access token alone/],
    ["Name", "x".repeat(65), "Shop", /more than 64 characters/],
    ["Country", "Germany", "DE", /two capital letters/],
    ["Its number", "7", "1", /7 is none of these/],
    ["Its number", "the black one", "none", /is none of these/],
    ["Model", "miura-m200", "miura-m020", /did you mean miura-m020\?/],
    ["Model", "idtech-vp33", "idtech-vp3300", /did you mean idtech-vp3300/],
    ["Terminal id", "T1", "1", /1 to 32 digits/],
    ["Device type", "MIURA M020", "", /letters, digits or underscores/],
  ])("%s: %s is refused with the fix, and asked for again", async (question, wrong, right, said) => {
    const { told, asked } = await ask({ ...PERSON, [question]: [wrong, right] });
    expect(told.filter((line) => said.test(line)).length).toBe(1);
    expect(asked.filter((text) => text.startsWith(question)).length).toBe(2);
  });

  it("live refuses this machine, and offers no address of its own", async () => {
    const { told } = await ask({
      ...PERSON,
      "Test or live?": ["live"],
      "Its address": ["", "http://127.0.0.1:7718/", "https://gateway.example/"],
    });
    expect(told.join("\n")).toMatch(/an answer is needed[\s\S]*is this machine, which environment: live refuses/);
  });

  it("ends at the first wrong answer of a pipe: the next line answers another question", async () => {
    await expect(ask({ ...PERSON, "Entity id": ["8a82"] }, {}, [OFFER], false)).rejects.toThrow(
      /Entity id: must be 32 lower-case/,
    );
  });

  it("take a terminal in the network, or none", async () => {
    expect(
      (await ask({ ...PERSON, "Its number": ["192.168.1.20:6543"], Model: ["miura-m020"] }, {}, [])).draft.terminal
        ?.connection,
    ).toEqual({
      tcp: "192.168.1.20:6543",
    });
    expect((await ask({ ...PERSON, "Its number": [""] }, {}, [])).draft.terminal).toBeUndefined();
  });
});

describe("answers by options", () => {
  const OPTIONS: Partial<AnswerOptions> = {
    ...{
      yes: true,
      entityId: ENTITY,
      accessTokenFile: "/etc/posbridge/gateway-token",
      shopName: "Shop",
      country: "DE",
    },
    ...{ tcp: "192.168.1.20:6543", model: "miura-m020", terminalId: "12345678" },
  };

  it("ask nothing with --yes", async () => {
    const { draft, asked, told } = await ask({}, OPTIONS);
    expect([asked, told]).toEqual([[], []]);
    expect(configurationOf(draft, { file: FILE, around }).ok).toBe(true);
  });

  it.each<[Partial<AnswerOptions>, RegExp]>([
    [{ country: "de!" }, /^--country must be two capital letters/],
    [{ entityId: "" }, /^--entity-id must be 32/],
    [{ accessTokenFile: "/nowhere" }, /^--access-token-file names \/nowhere, which does not exist/],
    [{ accessTokenEnv: "X" }, /say one of them/],
    [{ model: "nothing" }, /^--model is not a model/],
    [{ terminalId: "T" }, /^--terminal-id must be 1 to 32 digits/],
  ])("name the option that is wrong: %j", async (change, said) => {
    await expect(ask({}, { ...OPTIONS, ...change })).rejects.toThrow(said);
  });

  it.each(["entityId", "shopName", "country", "terminalId", "model", "tcp", "accessTokenFile"] as const)(
    "say that %s is missing",
    async (name) => {
      const { [name]: _, ...rest } = OPTIONS;
      await expect(ask({}, rest)).rejects.toThrow(/ is missing: say/);
    },
  );

  it("are asked for where --yes is not said", async () => {
    const { asked } = await ask(PERSON, { entityId: ENTITY });
    expect(asked.some((text) => text.startsWith("Entity id"))).toBe(false);
  });
});

it("writes a file that reads back as it was answered, whatever a shop is called", () => {
  const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(name, fc.constantFrom("./data", "/var/lib/it's here"), (shopName, dataDir) => {
      const draft: Draft = {
        environment: "test",
        baseUrl: "http://127.0.0.1:7718/",
        entityId: ENTITY,
        token: { is: "typed", token: "t" },
        country: "DE",
        shopName,
        dataDir,
      };
      const terminal = {
        id: "till-1",
        model: "idtech-vp3300",
        connection: { usb: { vendorId: 0x0acd, productId: 0x3530, serialNumber: "6:3" } },
        terminalId: "0012",
      };
      const reading = configurationOf({ ...draft, terminal }, { file: FILE, around });
      if (!reading.ok) return;
      const written = parseConfiguration(fileText({ ...draft, terminal }, { file: FILE, day: "2026-11-23" }), FILE, {
        ...around,
        look: () => fileOf("t"),
      });
      expect(written).toEqual(reading);
    }),
  );
});

describe("the files", () => {
  const shop = (folder: string) => ({
    file: path.join(folder, "etc/posbridge.yaml"),
    dataDir: path.join(folder, "data"),
    owner: undefined,
  });

  it("are made for their owner alone, and what was there before is kept", () => {
    const folder = freshFolder();
    const { file, dataDir } = shop(folder);
    const tokenFile = path.join(folder, "etc/gateway-token");
    const write = (text: string, stamp: string) =>
      writeSetup({ ...shop(folder), text, token: { file: tokenFile, text: `token of ${text}` }, stamp });
    expect(write("one", "1").copies).toEqual([]);
    expect([file, tokenFile, dataDir].map((one) => (fs.statSync(one).mode & 0o777).toString(8))).toEqual([
      "640",
      "600",
      "700",
    ]);
    expect(write("two", "2").copies).toEqual([`${tokenFile}.2`, `${file}.2`]);
    expect([file, `${file}.2`, `${tokenFile}.2`].map((one) => fs.readFileSync(one, "utf8"))).toEqual([
      "two",
      "one",
      "token of one\n",
    ]);
    expect((fs.statSync(`${tokenFile}.2`).mode & 0o777).toString(8)).toBe("600");
    expect(fs.readdirSync(path.dirname(file)).filter((name) => name.includes("new"))).toEqual([]);
  });

  it("are closed to others while they are empty, and copies too", () => {
    const folder = freshFolder();
    const { file } = shop(folder);
    const token = { file: path.join(folder, "etc/gateway-token"), text: "t" };
    const closed: string[] = [];
    const close: CloseTo = (right, one, kind) => {
      const content = kind === "folder" ? fs.readdirSync(one).join() : fs.readFileSync(one, "utf8");
      closed.push(`${right} ${path.relative(folder, one).replace(/new-[0-9]+$/, "new")} ${content}`);
      return undefined;
    };
    for (const stamp of ["1", "2"]) writeSetup({ ...shop(folder), text: "one", token, stamp }, close);
    const fresh = ["any etc/gateway-token.new ", "change etc/posbridge.yaml.new "];
    expect(closed).toEqual(["any data ", ...fresh, "any etc/gateway-token.2 ", "any etc/posbridge.yaml.2 ", ...fresh]);
    expect(fs.readFileSync(file, "utf8")).toBe("one");
  });

  it.each(["data", "gateway-token.new", "gateway-token.2", "posbridge.yaml.2", "posbridge.yaml.new"])(
    "leave no %s that cannot be closed",
    (name) => {
      const folder = freshFolder();
      const token = { file: path.join(folder, "etc/gateway-token"), text: "t" };
      if (name.endsWith(".2")) writeSetup({ ...shop(folder), text: "one", token, stamp: "1" });
      const close: CloseTo = (_, one) => (path.basename(one).startsWith(name) ? "icacls ended with 5" : undefined);
      expect(() => writeSetup({ ...shop(folder), text: "two", token, stamp: "2" }, close)).toThrow(
        /cannot be closed to others \(icacls ended with 5\); name another place/,
      );
      expect(
        [...fs.readdirSync(folder), ...fs.readdirSync(path.join(folder, "etc"))].filter((one) => one.startsWith(name)),
      ).toEqual([]);
    },
  );

  it("are not there in halves where one cannot be written", () => {
    const folder = freshFolder();
    const { file } = shop(folder);
    fs.mkdirSync(path.dirname(file));
    // A folder in the token's place cannot be replaced by a file.
    fs.mkdirSync(path.join(folder, "etc/gateway-token"));
    expect(() =>
      writeSetup({
        ...shop(folder),
        text: "one",
        token: { file: path.join(folder, "etc/gateway-token"), text: "t" },
        stamp: "1",
      }),
    ).toThrow();
    expect(fs.readdirSync(path.dirname(file))).toEqual(["gateway-token"]);
  });
});

describe("the terminal", () => {
  it("is offered with the model that it probably is, and no keyboard is", async () => {
    const root = fakeSystem({ usb: [PED, KEYBOARD, READER, CABLE] });
    const { devices } = await lookAtDevices({ platform: "linux", root, ports: async () => [] });
    const list = offersOf(devices, driverModels, { deviceView, matchingOf });
    fs.rmSync(root, { recursive: true });
    expect(list.map(({ model, words }) => [model, words.replaceAll(root, "").slice(0, 60)])).toEqual([
      ["miura-m020", expect.stringContaining("/dev/serial/by-id/usb-10000001-if00")],
      [undefined, expect.stringContaining("/dev/ttyUSB0 0403:6001 FT232R (no model is named")],
      ["idtech-vp3300", expect.stringContaining("USB 0acd:3530")],
    ]);
  });

  it.each<[string, object]>([
    ["1", { is: "device", connection: { serial: "/dev/ttyACM0" }, model: "miura-m020" }],
    ["2", { is: "unclear" }],
    ["none", { is: "none" }],
    ["/dev/ttyS0", { is: "device", connection: { serial: "/dev/ttyS0" } }],
    ["COM5", { is: "device", connection: { serial: "COM5" } }],
    ["terminal.shop:6543", { is: "device", connection: { tcp: "terminal.shop:6543" } }],
    ["[fe80::1]:6543", { is: "device", connection: { tcp: "[fe80::1]:6543" } }],
    ["websocket 192.168.1.20:80", { is: "device", connection: { websocket: "192.168.1.20:80" } }],
    ["ttyACM0", { is: "unclear" }],
  ])("is %s", (text, answer) => expect(deviceAnswer(text, [OFFER])).toEqual(answer));
});

it("a prompt shows no hidden answer, and tells where the answers end", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = "";
  output.on("data", (chunk: Buffer) => {
    shown += String(chunk);
  });
  const prompt = linePrompt({ input, output, isWatched: true, isEchoed: false });
  const answer = prompt.ask("Access token: ", { hidden: true });
  input.write("s3cret\r");
  expect(await answer).toBe("s3cret");
  expect(shown).toBe("Access token: \n");
  const next = prompt.ask("Name: ");
  input.end();
  await expect(next).rejects.toThrow("the answers ended before all was asked; nothing was written");
});

it("a prompt asks for nothing hidden where the terminal would show it", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const prompt = linePrompt({ input, output, isWatched: false, isEchoed: true });
  await expect(prompt.ask("Access token: ", { hidden: true })).rejects.toThrow(
    /^Access token: what is typed would be shown, because the output goes to a file or pipe; nothing was written: run it without that/,
  );
  expect(output.read()).toBeNull();
});
