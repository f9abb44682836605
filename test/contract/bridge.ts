import { type HttpServer, type RequestRefused, startHttp } from "../../src/http/server.ts";
import type { Clock } from "../../src/kit/clock.ts";
import type { PlaceLimits } from "../../src/kit/places.ts";
import { seededRandom } from "../../src/kit/seeded-random.ts";
import { systemClock } from "../../src/kit/system-clock.ts";
import { openRegisterSockets, type RegisterSockets, type SocketLimits } from "../../src/register/rpc/socket.ts";
import type { SocketEvent } from "../../src/register/rpc/socket-event.ts";
import { type FakePairing, fakePairing } from "./fake-pairing.ts";
import { type FakePayments, fakePayments } from "./fake-payments.ts";
import { BRIDGE_KEY, type FakeRegisters, fakeRegisters } from "./fake-registers.ts";
import { fakeTechnician } from "./fake-technician.ts";

/** The register's port as a shop has it, on a free port of this machine, before an engine that is moved by hand. */
export interface Bridge extends AsyncDisposable {
  readonly server: HttpServer;
  readonly sockets: RegisterSockets;
  readonly payments: FakePayments;
  readonly pairing: FakePairing;
  readonly registers: FakeRegisters;
  readonly url: string;
  readonly problems: string[];
  /** What an audit would be told. */
  readonly events: (SocketEvent | RequestRefused)[];
  /** The tokens of that register are taken away; only its open sockets notice. */
  revoke(register: string): void;
  /** How many sockets would notice. */
  watching(): number;
  /** What /readyz says. */
  reasons: readonly string[];
}

/** How a bridge differs from a shop's usual one. */
export interface BridgeOptions {
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly sockets?: SocketLimits;
  readonly connections?: PlaceLimits;
  readonly requestMs?: number;
}

export async function startBridge(clock: Clock = systemClock, options: BridgeOptions = {}): Promise<Bridge> {
  const payments = fakePayments();
  const pairing = fakePairing();
  const registers = fakeRegisters(clock);
  const problems: string[] = [];
  const problem = (error: unknown, where: string): void => void problems.push(`${where}: ${String(error)}`);
  const bridge = { name: "posbridge", version: "0.1.0", id: "b1" };
  const watchers = new Set<(register: string) => void>();
  const watch = (revoked: (register: string) => void) => {
    watchers.add(revoked);
    return () => void watchers.delete(revoked);
  };
  const events: (SocketEvent | RequestRefused)[] = [];
  const audit = (event: SocketEvent): void => void events.push(event);
  const technician = fakeTechnician();
  const socketPorts = {
    payments,
    pairing,
    technician,
    tokens: { ...registers.tokens, watch },
    registers: registers.registers,
    key: BRIDGE_KEY,
    clock,
    bridge,
    environment: "test",
    random: seededRandom(1),
    problem,
    audit,
  } as const;
  const sockets = openRegisterSockets(socketPorts, options.sockets);
  const server = await startHttp({
    names: () => ["127.0.0.1", "localhost", "[::1]"],
    listen: { host: "127.0.0.1", port: 0, ...(options.tls && { tls: options.tls }) },
    origins: ["https://till.example"],
    page: { version: "0.1.0", environment: "test" },
    ready: () => self.reasons,
    metrics: async () => "posbridge_up 1\n",
    openRpc: () => '{"openrpc":"1.3.2"}',
    sockets,
    clock,
    problem,
    refused: (event) => void events.push(event),
    ...(options.connections && { connections: options.connections }),
    ...(options.requestMs !== undefined && { requestMs: options.requestMs }),
  });
  const self: Bridge = {
    server,
    sockets,
    payments,
    pairing,
    registers,
    url: `${options.tls === undefined ? "ws" : "wss"}://127.0.0.1:${server.port}/v1`,
    problems,
    events,
    revoke: (register) => {
      for (const tell of watchers) tell(register);
    },
    watching: () => watchers.size,
    reasons: [],
    [Symbol.asyncDispose]: () => server.close(),
  };
  return self;
}
