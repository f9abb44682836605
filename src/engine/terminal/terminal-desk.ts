import { type Granted, granted, nameOf, refused } from "../../payment/request.ts";
import type { TerminalView } from "../../register/ports.ts";
import type { TerminalStatus } from "../../terminal/status.ts";
import type { PaymentsPorts } from "../service/service-ports.ts";

/** Terminals as shown to registers: the device and its payment. */
export function terminalViews(ports: Pick<PaymentsPorts, "engine" | "terminals">): readonly TerminalView[] {
  return ports.terminals.list().map((status) => viewOfTerminal(ports, status));
}

function viewOfTerminal({ engine }: Pick<PaymentsPorts, "engine">, status: TerminalStatus): TerminalView {
  const { hostWaitMs: _hostWaitMs, configuration: _configuration, capabilities, state, ...rest } = status;
  const holder = engine.leases.holder(status.id);
  const reference = holder === undefined ? undefined : engine.find(holder)?.payment().accepted.reference;
  return {
    ...rest,
    state: state === "ready" && holder !== undefined ? "busy" : state,
    capabilities: [
      ...capabilities.interfaces,
      ...(capabilities.onlinePin ? ["online-pin"] : []),
      ...(capabilities.display ? ["display"] : []),
      ...(capabilities.sealed ? ["sealed"] : []),
    ],
    ...(reference !== undefined && { payment: reference }),
    queue: engine.leases.waiting(status.id),
  };
}

/** Tests a terminal by reading its identity; a leased terminal is not tested. */
export async function testTerminal(
  ports: Pick<PaymentsPorts, "engine" | "terminals" | "reidentify">,
  terminal: string,
): Promise<Granted<TerminalView>> {
  if (ports.terminals.status(terminal) === undefined) {
    return refused("unknown-terminal", `terminal "${terminal}" is not configured here`, "fix-request");
  }
  const holder = ports.engine.leases.holder(terminal);
  if (holder !== undefined) {
    const name = ports.engine.find(holder)?.payment().accepted;
    return refused(
      "terminal-busy",
      `terminal ${terminal} has a payment: test it afterwards`,
      "retry",
      undefined,
      name && nameOf(name),
    );
  }
  const answered = await ports.reidentify(terminal);
  const status = ports.terminals.status(terminal);
  if (!answered || status === undefined) {
    return refused(
      "terminal-offline",
      `terminal ${terminal} does not answer: ${status?.reason ?? "not connected"}`,
      "retry",
    );
  }
  return granted(viewOfTerminal(ports, status));
}
