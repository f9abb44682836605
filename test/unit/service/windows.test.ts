import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { installService, removeService } from "../../../src/commands/service-install.ts";
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

const lines = (on = settings): readonly string[] => [...(windows.plan(on).make ?? []), ...windows.plan(on).load].map(({ argv }) => argv.join(" "));

describe("the plan", () => {
  it("makes a service with an account of its own that starts by itself and anew after each failure", () => {
    expect(lines()[0]).toMatch(/^sc\.exe create posbridge binPath= "C:\\.* start= delayed-auto obj= NT SERVICE\\posbridge/);
    expect(lines()).toContain("sc.exe failure posbridge reset= 86400 actions= restart/2000/restart/10000/restart/60000");
    expect(lines().join("\n")).toContain("/v PreshutdownTimeout /t REG_DWORD /d 60000");
  });

  it("closes its own folders to all but the service, SYSTEM and Administrators", () => {
    const masters = "*S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F NT SERVICE\\posbridge:(OI)(CI)";
    expect(lines()).toContain(`icacls.exe C:\\ProgramData\\posbridge /inheritance:r /grant:r ${masters}RX`);
    for (const name of ["data", "logs"]) expect(lines()).toContain(`icacls.exe C:\\ProgramData\\posbridge\\${name} /inheritance:r /grant:r ${masters}M`);
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

describe("sc query", () => {
  const told = (state: string, code: number, own = 0): string =>
    `\r\nSERVICE_NAME: posbridge\r\n        TYPE               : 10  WIN32_OWN_PROCESS\r\n        STATE              : ${state}\r\n        WIN32_EXIT_CODE    : ${code}  (0x0)\r\n        SERVICE_EXIT_CODE  : ${own}  (0x0)\r\n`;
  it.each([
    [told("4  RUNNING", 0), { installed: true, enabled: true, running: true, state: "running" }],
    [told("3  STOP_PENDING", 0), { installed: true, enabled: true, running: false, state: "stopping" }],
    [told("1  STOPPED", 1077), { installed: true, enabled: true, running: false, state: "stopped" }],
    [told("1  STOPPED", 1066, 2), { installed: true, enabled: true, running: false, state: "stopped", failure: "exit code 2" }],
    [told("1  STOPPED", 1067), { installed: true, enabled: true, running: false, state: "stopped", failure: "error 1067 of Windows" }],
    ["[SC] EnumQueryServicesStatus:OpenService FAILED 1060:", { installed: false, enabled: false, running: false, state: "not installed" }],
  ])("%j", (output, state) => expect(windows.state(output)).toEqual(state));
});

describe("service install and remove", () => {
  /** A machine whose service manager knows the service once it was made. */
  function windowsMachine() {
    const machine = pretendedMachine();
    for (const file of [windows.sign, windows.program]) machine.files.set(file, "");
    let installed = false;
    const run = (argv: readonly string[]) => {
      const [tool, verb] = argv;
      if (tool === "sc.exe" && verb === "query") return { code: 0, out: installed ? "  STATE : 1  STOPPED\n" : "FAILED 1060", err: "" };
      if (tool === "sc.exe" && (verb === "create" || verb === "delete")) installed = verb === "create";
      return machine.run(argv);
    };
    return { ...machine, run };
  }
  const job = (machine: ReturnType<typeof windowsMachine>) => ({ platform: windows, plan: windows.plan(settings), machine, config: settings.config });

  it("make the service once, set it each time, and take it away again", () => {
    const machine = windowsMachine();
    const install = () => installService({ ...job(machine), ...settings, files: [], from: undefined, start: false });
    expect(install().done).toContain("made the service posbridge");
    expect(install().done).toEqual(["everything is in place already"]);
    expect(machine.ran.filter((line) => line.startsWith("sc.exe create"))).toHaveLength(1);
    expect(machine.ran.filter((line) => line.startsWith("sc.exe config"))).toHaveLength(1);
    expect(removeService(job(machine)).done).toEqual(["stopped the service"]);
    expect(machine.ran.slice(-3).map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual(["sc.exe stop", "sc.exe delete", "reg.exe delete"]);
    expect(removeService(job(machine)).done).toEqual(["nothing of the service is there"]);
  });
});
