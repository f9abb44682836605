import type { TerminalSettings } from "../config/configuration.ts";
import type { Clock } from "../kit/clock.ts";
import { type Granted, granted, type Refusal } from "../payment/request.ts";
import type { SelfPortrait } from "../terminal/admission.ts";
import type { DriverModel } from "../terminal/driver.ts";
import { type Proof, prove } from "../terminal/prove.ts";
import type { SessionEvent } from "../terminal/session-core.ts";
import { connectionText } from "./lines.ts";
import type { OpenTerminal } from "./terminals.ts";

/** A terminal that identified itself and has a running session. */
export interface Proven {
  readonly opened: OpenTerminal;
  readonly told: SelfPortrait;
  readonly heard: readonly SessionEvent[];
  readonly warnings: readonly string[];
}

export interface ProofPorts {
  readonly clock: Clock;
  readonly models: readonly DriverModel[];
  /** The model of the connected device by its ids, if known. */
  readonly modelByIds: (terminal: TerminalSettings) => Promise<string | undefined>;
  /** Resolves when the bridge stops. */
  readonly stopped: Promise<void>;
}

/** Opens the line and identifies the device. On failure, stops the session and describes what was found. */
export async function proven(
  opened: OpenTerminal,
  terminal: TerminalSettings,
  ports: ProofPorts,
): Promise<Granted<Proven>> {
  const heard: SessionEvent[] = [];
  opened.session.listen((event) => void heard.push(event));
  const proof = (await Promise.race([prove(opened, ports.clock), ports.stopped])) ?? STOPPED;
  if (proof.is === "proven") {
    const { told, warning } = proof;
    return granted({
      opened,
      told,
      heard,
      warnings: warning === undefined ? [] : [`the terminal is paired, and takes no payment yet: ${warning}`],
    });
  }
  await opened.session.stop();
  return { ok: false, refusal: await refusalOf(proof, opened, terminal, ports) };
}

const STOPPED = { is: "stopped" } as const;

async function refusalOf(
  proof: Exclude<Proof, { is: "proven" }> | typeof STOPPED,
  { witness, model }: OpenTerminal,
  terminal: TerminalSettings,
  ports: ProofPorts,
): Promise<Refusal> {
  const where = connectionText(terminal);
  const refusal = (message: string, advice: Refusal["advice"]): Refusal => ({
    code: "terminal-offline",
    message,
    advice,
    path: "connection",
  });
  switch (proof.is) {
    case "stopped":
      return { code: "shutting-down", message: "the bridge is stopping: try again in a moment", advice: "retry" };
    case "no-link":
      return refusal(`${where} cannot be opened: ${proof.reason}`, "retry");
    case "silent": {
      const byIds = await ports.modelByIds(terminal);
      const hint = byIds === undefined || byIds === model.id ? "" : `; by its ids the device is a ${byIds}`;
      return refusal(
        `nothing answered at ${where} as a ${model.id}${hint}: see that it is switched on and connected, and that model and options are right`,
        "retry",
      );
    }
    case "strange": {
      const others = ports.models.filter(({ id }) => id !== model.id);
      const read = witness.readAs(others, terminal.connection.kind).map(({ id }) => id);
      const hint = read.length === 0 ? "" : `; its frames are those of ${read.join(" or ")}`;
      return refusal(
        `another model answered at ${where}: no ${model.id} says what came (${proof.bytes} bytes)${hint}; name the right model (${proof.reason})`,
        "fix-request",
      );
    }
    case "refused":
      return {
        code: "terminal-out-of-service",
        message: `the device at ${where} cannot be used: ${proof.reason}`,
        advice: "call-support",
      };
  }
}
