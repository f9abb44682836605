import { describe, expect, it } from "vitest";
import type { ServiceManager, ServiceStatus } from "../../../src/windows/advapi.ts";
import { asksForTheEnd, beginService, type ServicePhase, statusOf } from "../../../src/windows/service.ts";

/** A service manager that keeps what it is told, and a process that can end. */
function managed(connect: () => Promise<void> = async () => undefined) {
  const reports: ServiceStatus[] = [];
  const notes: string[] = [];
  let control = (_: number): void => undefined;
  let end = (_: number): void => undefined;
  const manager: ServiceManager = {
    connect: (asked) => {
      control = asked;
      return connect();
    },
    report: (status) => void reports.push(status),
    note: (line) => void notes.push(line),
  };
  const begun = beginService(manager, (ending) => {
    end = ending;
  });
  return { begun, reports, notes, asks: (number: number) => control(number), processEnds: (code: number) => end(code) };
}

const STOP = 1;
const INTERROGATE = 4;
const SHUTDOWN = 5;
const PRESHUTDOWN = 15;

describe("what the service manager is told", () => {
  it.each<[ServicePhase, ServiceStatus]>([
    [{ is: "starting" }, { state: 2, accepted: 0, exitCode: 0, ownExitCode: 0, checkpoint: 1, waitHintMs: 60_000 }],
    [{ is: "running" }, { state: 4, accepted: 0x101, exitCode: 0, ownExitCode: 0, checkpoint: 0, waitHintMs: 0 }],
    [{ is: "stopping" }, { state: 3, accepted: 0, exitCode: 0, ownExitCode: 0, checkpoint: 1, waitHintMs: 60_000 }],
    [
      { is: "stopped", code: 0 },
      { state: 1, accepted: 0, exitCode: 0, ownExitCode: 0, checkpoint: 0, waitHintMs: 0 },
    ],
    [
      { is: "stopped", code: 2 },
      { state: 1, accepted: 0, exitCode: 1066, ownExitCode: 2, checkpoint: 0, waitHintMs: 0 },
    ],
  ])("%j", (phase, status) => expect(statusOf(phase)).toEqual(status));

  it.each([
    [STOP, true],
    [SHUTDOWN, true],
    [PRESHUTDOWN, true],
    [INTERROGATE, false],
    [2, false],
    [200, false],
  ])("control %i asks for the end: %s", (control, does) => expect(asksForTheEnd(control)).toBe(does));
});

describe("a service", () => {
  it.each([STOP, PRESHUTDOWN])("starts, runs, and ends in an orderly way at control %i", async (control) => {
    const { begun, reports, asks, processEnds } = managed();
    const service = await begun;
    service.ready();
    asks(INTERROGATE);
    asks(control);
    asks(control);
    await service.stopAsked;
    processEnds(0);
    expect(reports.map(({ state }) => state)).toEqual([2, 4, 3, 1]);
    expect(reports.at(-1)).toMatchObject({ exitCode: 0 });
  });

  it("that ends by itself says its code, so that the manager starts it anew", async () => {
    const { begun, reports, notes, processEnds } = managed();
    const service = await begun;
    service.tell("posbridge.yaml:3: gateway.baseUrl: is missing");
    processEnds(2);
    expect(reports.map(({ state, ownExitCode }) => [state, ownExitCode])).toEqual([
      [2, 0],
      [1, 2],
    ]);
    expect(notes).toEqual(["posbridge.yaml:3: gateway.baseUrl: is missing"]);
  });

  it("is none where the service manager has not started the process", async () => {
    const { begun, reports } = managed(() =>
      Promise.reject(new Error("Windows' service manager has not started this process")),
    );
    await expect(begun).rejects.toThrow("has not started this process");
    expect(reports).toEqual([]);
  });
});
