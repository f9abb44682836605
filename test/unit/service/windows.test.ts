import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { installService, removeService } from "../../../src/commands/service-install.ts";
import { machineOf } from "../../../src/commands/service-machines.ts";
import { programPlace } from "../../../src/commands/service-settings.ts";
import { printedPlan } from "../../../src/service/printed.ts";
import { commandWord, serviceCommandLine, windows } from "../../../src/service/windows.ts";
import { pretendedMachine } from "../commands/service-machine.ts";

const settings = { program: windows.program, config: windows.config, user: "posbridge", dataDir: windows.dataDir };

/** CommandLineToArgvW, for the words behind the program: backslashes mean themselves but before a quotation mark. */
function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  let [word, quoted, begun] = ["", false, false];
  for (let at = 0; at < line.length; at += 1) {
    const slashes = /^\\*/.exec(line.slice(at))?.[0].length ?? 0;
    at += slashes;
    const isQuote = line[at] === '"';
    word += "\\".repeat(isQuote ? Math.floor(slashes / 2) : slashes);
    begun ||= slashes > 0 || isQuote;
    if (at >= line.length) break;
    if (isQuote && slashes % 2 === 1) word += '"';
    else if (isQuote) quoted = !quoted;
    else if (!quoted && /\s/.test(line[at] ?? "")) {
      if (begun) words.push(word);
      [word, begun] = ["", false];
    } else [word, begun] = [word + line[at], true];
  }
  return begun ? [...words, word] : words;
}

describe("a command line of Windows", () => {
  it("gives back each word as it was", () => {
    const word = fc.stringMatching(/^[a-zA-Z0-9 \\":.-]*$/);
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(wordsOf(words.map(commandWord).join(" "))).toEqual(words);
      }),
    );
  });

  it("of the service quotes the program, so that no C:\\Program.exe is started in its place", () => {
    expect(serviceCommandLine(settings)).toBe(
      '"C:\\Program Files\\posbridge\\posbridge.exe" run --config C:\\ProgramData\\posbridge\\posbridge.yaml --windows-service',
    );
  });
});

const lines = (on = settings): readonly string[] =>
  [...(windows.plan(on).make ?? []), ...windows.plan(on).load].map(({ argv }) => argv.join(" "));

describe("the plan", () => {
  it("makes a service with an account of its own that starts by itself and anew after each failure", () => {
    expect(lines().find((line) => line.startsWith("sc.exe create"))).toMatch(
      /^sc\.exe create posbridge binPath= "C:\\.* start= delayed-auto obj= NT SERVICE\\posbridge/,
    );
    expect(lines()).toContain(
      "sc.exe failure posbridge reset= 86400 actions= restart/2000/restart/10000/restart/60000",
    );
    expect(lines().join("\n")).toContain("/v PreshutdownTimeout /t REG_DWORD /d 60000");
  });

  it("closes its own folders to all but the service, SYSTEM and Administrators", () => {
    const masters = "*S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F NT SERVICE\\posbridge:(OI)(CI)";
    expect(lines()).toContain(`icacls.exe C:\\ProgramData\\posbridge /inheritance:r /grant:r ${masters}RX`);
    for (const name of ["data", "logs"])
      expect(lines()).toContain(`icacls.exe C:\\ProgramData\\posbridge\\${name} /inheritance:r /grant:r ${masters}M`);
  });

  it("takes its folder from whoever made it first, and closes it before what lies in it takes up its list", () => {
    const root = "C:\\ProgramData\\posbridge";
    const made = (windows.plan({ ...settings, config: "D:\\shop.yaml", dataDir: "D:\\data" }).make ?? []).map(
      ({ argv }) => argv.join(" "),
    );
    expect(made).toEqual([
      `icacls.exe ${root} /setowner *S-1-5-32-544`,
      `icacls.exe ${root} /reset`,
      `icacls.exe ${root} /inheritance:r /grant:r *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F`,
      `icacls.exe ${root}\\* /setowner *S-1-5-32-544 /T /L /Q`,
      `icacls.exe ${root}\\* /reset /T /L /Q`,
      expect.stringMatching(/^sc\.exe create /),
    ]);
    const last = lines().findLastIndex((line) => line.includes("/reset"));
    const closing = lines().findIndex((line) => line.startsWith(`icacls.exe ${root}\\data /inheritance:r`));
    expect(closing).toBeGreaterThan(last);
  });

  it.each(["C:\\shop.yaml", "D:\\till\\shop.yaml", "C:\\ProgramData\\posbridge-other\\shop.yaml"])(
    "keeps nobody out of the folder of %s, which is not its own",
    (config) => {
      const folder = config.slice(0, config.lastIndexOf("\\")).replace(/:$/, ":\\");
      const [line, ...more] = lines({ ...settings, config }).filter((one) => one.startsWith(`icacls.exe ${folder} `));
      expect([line, more]).toEqual([`icacls.exe ${folder} /grant NT SERVICE\\posbridge:(OI)(CI)RX`, []]);
    },
  );

  it("is printed as commands for cmd.exe", () => {
    const printed = printedPlan(windows.plan(settings));
    expect(printed).toContain("mkdir C:\\ProgramData\\posbridge\\data");
    expect(printed.at(-1)).toBe("sc.exe start posbridge");
    expect(printed.filter((line) => !/^(rem|mkdir|sc\.exe|reg\.exe|icacls\.exe) /.test(line))).toEqual([]);
  });
});

/** sc translates its labels, and neither numbers nor the word of the state. */
const SPANISH = `
NOMBRE_SERVICIO: posbridge
        TIPO               : 10  WIN32_OWN_PROCESS
        ESTADO             : 4  RUNNING
                                (STOPPABLE, NOT_PAUSABLE, ACCEPTS_PRESHUTDOWN)
        C\u00d3D_SALIDA_WIN32  : 0  (0x0)
        C\u00d3D_SALIDA_SERV.  : 0  (0x0)
        PUNTO_COMPROB.     : 0x0
        INDICACI\u00d3N_INICIO : 0x0
`;
const RUSSIAN = `
\u0418\u043c\u044f_\u0441\u043b\u0443\u0436\u0431\u044b: posbridge
        \u0422\u0438\u043f                : 10  WIN32_OWN_PROCESS
        \u0421\u043e\u0441\u0442\u043e\u044f\u043d\u0438\u0435          : 1  STOPPED
        \u041a\u043e\u0434_\u0432\u044b\u0445\u043e\u0434\u0430_Win32   : 1066  (0x42a)
        \u041a\u043e\u0434_\u0432\u044b\u0445\u043e\u0434\u0430_\u0441\u043b\u0443\u0436\u0431\u044b : 2  (0x2)
        \u041a\u043e\u043d\u0442\u0440\u043e\u043b\u044c\u043d\u0430\u044f_\u0442\u043e\u0447\u043a\u0430   : 0x0
`;

describe("sc query", () => {
  const told = (state: string, code: number, own = 0): string =>
    `\r\nSERVICE_NAME: posbridge\r\n        TYPE               : 10  WIN32_OWN_PROCESS\r\n        STATE              : ${state}\r\n        WIN32_EXIT_CODE    : ${code}  (0x0)\r\n        SERVICE_EXIT_CODE  : ${own}  (0x0)\r\n`;
  it.each([
    [told("4  RUNNING", 0), { installed: true, enabled: true, running: true, state: "running" }],
    [told("3  STOP_PENDING", 0), { installed: true, enabled: true, running: false, state: "stopping" }],
    [told("1  STOPPED", 1077), { installed: true, enabled: true, running: false, state: "stopped" }],
    [
      told("1  STOPPED", 1066, 2),
      { installed: true, enabled: true, running: false, state: "stopped", failure: "exit code 2" },
    ],
    [
      told("1  STOPPED", 1067),
      { installed: true, enabled: true, running: false, state: "stopped", failure: "error 1067 of Windows" },
    ],
    [SPANISH, { installed: true, enabled: true, running: true, state: "running" }],
    [RUSSIAN, { installed: true, enabled: true, running: false, state: "stopped", failure: "exit code 2" }],
    [
      "[SC] EnumQueryServicesStatus:OpenService FAILED 1060:",
      { installed: false, enabled: false, running: false, state: "not installed" },
    ],
  ])("%j", (output, state) => expect(windows.state(output)).toEqual(state));
});

describe("service install and remove", () => {
  /** A machine whose service manager knows the service once it was made. */
  function windowsMachine() {
    const machine = pretendedMachine();
    for (const file of [windows.sign, windows.program]) machine.files.set(file, "");
    let installed = false;
    let state = "1  STOPPED";
    const run = (argv: readonly string[]) => {
      const [tool, verb] = argv;
      if (tool === "sc.exe" && verb === "query")
        return { code: 0, out: installed ? `  STATE : ${state}\n` : "FAILED 1060", err: "" };
      if (tool === "sc.exe" && (verb === "create" || verb === "delete")) installed = verb === "create";
      const ran = machine.run(argv);
      if (tool !== "sc.exe" || verb !== "start") return ran;
      if (state !== "1  STOPPED") return { ...ran, code: 1056 };
      state = "4  RUNNING";
      return ran;
    };
    const become = (next: string): void => {
      state = next;
    };
    return { ...machine, run, become };
  }
  const job = (machine: ReturnType<typeof windowsMachine>) => ({
    platform: windows,
    plan: windows.plan(settings),
    machine,
    config: settings.config,
  });

  it("make the service once, set it each time, and take it away again", () => {
    const machine = windowsMachine();
    const install = () => installService({ ...job(machine), ...settings, files: [], from: undefined, start: false });
    expect(install().done).toContain("made the service posbridge");
    expect(install().done).toEqual(["everything is in place already"]);
    expect(machine.ran.filter((line) => line.startsWith("sc.exe create"))).toHaveLength(1);
    expect(machine.ran.filter((line) => line.startsWith("sc.exe config"))).toHaveLength(1);
    expect(removeService(job(machine)).done).toEqual(["stopped the service"]);
    expect(machine.ran.slice(-3).map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
      "sc.exe stop",
      "sc.exe delete",
      "reg.exe delete",
    ]);
    expect(removeService(job(machine)).done).toEqual(["nothing of the service is there"]);
  });

  it("make no service where its folder cannot be taken from others, and begin anew the next time", () => {
    const machine = windowsMachine();
    const install = () => installService({ ...job(machine), ...settings, files: [], from: undefined, start: false });
    machine.failing.set("icacls.exe C:\\ProgramData\\posbridge\\* /setowner", "Access is denied.");
    for (let time = 1; time <= 2; time += 1)
      expect(install).toThrow(
        /^could not make C:\\ProgramData\\posbridge\\\* belong to Administrators: icacls\.exe .* \(Access is denied\.\)$/,
      );
    machine.failing.clear();
    expect(install().done).toContain("made the service posbridge");
  });

  it("with --start start one that stands still, and leave one that runs as it is", () => {
    const machine = windowsMachine();
    machine.files.set(settings.config, "environment: test");
    const install = () => installService({ ...job(machine), ...settings, files: [], from: undefined, start: true });
    expect(install().done.at(-1)).toBe("started the service");
    machine.ran.length = 0;
    machine.folders.delete(windows.dataDir);
    expect(install().done).toEqual([`made ${windows.dataDir}`]);
    expect(machine.ran).not.toContain("sc.exe start posbridge");
    machine.become("2  START_PENDING");
    expect(install().done.at(-1)).toBe("started the service");
  });
});

describe("a folder of the service", () => {
  it("is refused where it or a folder above it is a link, which anybody may have made", () => {
    const top = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), "posbridge-linked-")));
    onTestFinished(() => fs.rmSync(top, { recursive: true }));
    const [real, link] = [path.join(top, "real"), path.join(top, "link")];
    fs.mkdirSync(real);
    fs.symlinkSync(real, link);
    const { folder } = machineOf(windows);
    for (const one of [link, path.join(link, "logs")])
      expect(() => folder(one)).toThrow(`${link} is a link to ${real}: name that folder itself, or remove the link`);
    expect([folder(real), folder(path.join(real, "logs"))]).toEqual([{ user: "root", empty: true }, undefined]);
  });
});

describe("the program of the service", () => {
  it.each([
    ["C:\\Program Files\\shop\\posbridge.exe", true],
    ["c:\\program files (x86)\\posbridge\\posbridge.exe", true],
    ["C:\\Program Files2\\posbridge.exe", false],
    ["C:\\Program Files (x64)\\posbridge.exe", false],
    ["C:\\Users\\shop\\Downloads\\posbridge-win-x64.exe", false],
  ])("%s stays there: %s", (own, stays) => expect(programPlace(windows, own)).toBe(stays ? own : windows.program));

  it("is refused where others may change it", () => {
    const folder = fs.mkdtempSync(path.join(tmpdir(), "posbridge-program-"));
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    const program = path.join(folder, "posbridge.exe");
    fs.writeFileSync(program, "");
    fs.chmodSync(program, 0o777);
    expect(machineOf(windows).tamperProblem(program)).toBeDefined();
  });
});
