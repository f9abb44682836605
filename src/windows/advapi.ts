import { z } from "zod";
import { load } from "./ffi-addon.ts";

/** SERVICE_STATUS, in plain names. */
export interface ServiceStatus {
  readonly state: number;
  readonly accepted: number;
  readonly exitCode: number;
  /** Used if `exitCode` says so. */
  readonly ownExitCode: number;
  readonly checkpoint: number;
  readonly waitHintMs: number;
}

/** The interface between Windows' service manager and a service's process. */
export interface ServiceManager {
  /**
   * Resolves once the manager has accepted this process as its service; rejects if it did not start this process.
   * `asked` gets its controls (winsvc.h).
   */
  connect(asked: (control: number) => void): Promise<void>;
  report(status: ServiceStatus): void;
  /** Writes an error to the log "Application". */
  note(text: string): void;
}

/** The used calls of koffi's native part. */
interface Ffi {
  load(library: string): Library;
  proto(definition: string): FfiType;
  pointer(to: FfiType): FfiType;
  struct(members: Readonly<Record<string, FfiType | string>>): FfiType;
  /** The function's address, for as long as the process lives. */
  register(callback: (...values: readonly unknown[]) => number | undefined, type: FfiType): bigint;
}

type FfiType = object;

interface Library {
  func(name: string, result: string, parameters: readonly (FfiType | string)[]): NativeFunction;
}

interface NativeFunction {
  (...values: readonly unknown[]): unknown;
  /** Runs in a thread of its own. */
  async(...values: readonly unknown[]): void;
}

/** The version whose calls are declared above. */
const VERSION = "3.3.4";
const ffiSchema = z.custom<Ffi>(
  (value) =>
    typeof value === "object" &&
    value !== null &&
    "version" in value &&
    value.version === VERSION &&
    "register" in value,
  `koffi's native part is not of version ${VERSION}`,
);

/** A service alone in its process may have any name here (StartServiceCtrlDispatcherW). */
const NAME = "posbridge";
const WIN32_OWN_PROCESS = 0x10;
const EVENT_ERROR = 1;
/** EventCreate.exe has a message "%1" for each number up to 1000; `service install` sets that file as the source's. */
const EVENT_ID = 1;

/** The manager of this Windows, by way of advapi32.dll. */
export function systemServiceManager(): ServiceManager {
  const ffi = ffiSchema.parse(load());
  const library = ffi.load("advapi32.dll");
  const main = ffi.pointer(ffi.proto("void ServiceMain(uint32_t count, void *arguments)"));
  const handler = ffi.pointer(
    ffi.proto("uint32_t HandlerEx(uint32_t control, uint32_t type, void *data, void *context)"),
  );
  const entry = ffi.struct({ name: "str16", main });
  const numbers = ["type", "state", "accepted", "exitCode", "ownExitCode", "checkpoint", "waitHintMs"];
  const status = ffi.struct(Object.fromEntries(numbers.map((name) => [name, "uint32_t"])));
  const startDispatcher = library.func("StartServiceCtrlDispatcherW", "int", [ffi.pointer(entry)]);
  const registerHandler = library.func("RegisterServiceCtrlHandlerExW", "void *", ["str16", handler, "void *"]);
  const setStatus = library.func("SetServiceStatus", "int", ["void *", ffi.pointer(status)]);
  let service: unknown;
  return {
    connect: (asked) => {
      const { promise: connected, resolve, reject } = Promise.withResolvers<void>();
      const heard = ffi.register((control) => {
        asked(z.int().parse(control));
        return 0;
      }, handler);
      const begun = ffi.register(() => {
        service = registerHandler(NAME, heard, null);
        resolve();
        return undefined;
      }, main);
      // Returns when the service has stopped, or at once if this process is no service.
      startDispatcher.async(
        [
          { name: NAME, main: begun },
          { name: null, main: null },
        ],
        () => reject(new Error("Windows' service manager has not started this process")),
      );
      return connected;
    },
    report: (told) => void setStatus(service, { type: WIN32_OWN_PROCESS, ...told }),
    note: (text) => noteIn(library, text),
  };
}

function noteIn(library: Library, text: string): void {
  const registerSource = library.func("RegisterEventSourceW", "void *", ["str16", "str16"]);
  const reportEvent = library.func("ReportEventW", "int", [
    "void *",
    "uint16_t",
    "uint16_t",
    "uint32_t",
    "void *",
    "uint16_t",
    "uint32_t",
    "str16 *",
    "void *",
  ]);
  const deregisterSource = library.func("DeregisterEventSource", "int", ["void *"]);
  const source = registerSource(null, NAME);
  reportEvent(source, EVENT_ERROR, 0, EVENT_ID, null, 1, 0, [text], null);
  deregisterSource(source);
}
