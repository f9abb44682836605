import type { Clock } from "../../kit/clock.ts";
import { API_VERSION } from "../methods/session-open.ts";
import type { SocketFacts } from "../pairing/introduction.ts";
import { type Desk, type DeskPorts, type Line, openDesk } from "./call-handler.ts";
import { ENDINGS, type Ending } from "./close-reasons.ts";
import { LIMITS } from "./limits.ts";
import { rateOf } from "./rate-limit.ts";
import { errorText, notificationText, parseRequest, type RpcId, refusalError } from "./rpc.ts";
import type { Hello, WireError } from "./schemas.ts";

/** Ports of a connection; the same for every socket of a bridge. */
export interface ConnectionPorts extends Omit<DeskPorts, "line" | "socket"> {
  readonly bridge: Hello["bridge"];
  readonly environment: Hello["environment"];
}

/** The socket below. `send` returns false if too much data waits for a slow reader. */
export interface Outlet {
  send(text: string): boolean;
  /** Bytes that its reader has not taken yet. */
  waiting(): number;
  close(code: number, reason: string): void;
  /** The socket is about to get its session; false: all sessions are taken. */
  admit(): boolean;
  /** A person decides about the socket: it does not give way meanwhile. */
  keep(isKept: boolean): void;
}

export interface Connection {
  receive(text: string): void;
  /** Closes the socket; later frames are ignored. */
  end(why: Ending): void;
  /** The socket is gone. */
  closed(): void;
}

/** The protocol of one socket, without any network, so that every rule can be tested. */
export function openConnection(ports: ConnectionPorts & { readonly socket: SocketFacts }, outlet: Outlet): Connection {
  let open = true;
  const closed = (): void => {
    open = false;
    waiting.end();
    desk.close();
  };
  const end = (why: Ending): void => {
    if (!open) return;
    closed();
    const { code, reason } = ENDINGS[why];
    outlet.close(code, reason);
    const register = desk.register();
    ports.audit({ on: "socket-ended", from: ports.socket.from, why, ...(register !== undefined && { register }) });
  };
  const send = (text: string): void => {
    if (open && !outlet.send(text)) end("slow-reader");
  };
  const waiting = waitForSession(ports.clock, () => end("no-session"));
  const admit = (): boolean => {
    const isAdmitted = outlet.admit();
    if (isAdmitted) waiting.end();
    return isAdmitted;
  };
  const line: Line = {
    send,
    end,
    isSlow: () => outlet.waiting() > LIMITS.traceBufferedBytes,
    awaitDecision: () => {
      waiting.pause();
      outlet.keep(true);
    },
    decided: () => {
      waiting.resume();
      outlet.keep(false);
    },
  };
  const desk = openDesk({ ...ports, line }, admit);
  const receive = openReader(ports.clock, desk, line);

  const { bridge, environment, key } = ports;
  const { nonce } = ports.socket;
  const api = { min: API_VERSION, max: API_VERSION };
  const hello: Hello = { bridge, environment, api, nonce, key: key.public };
  send(notificationText("bridge.hello", hello));
  const hear = (text: string): void => {
    if (!open) return;
    waiting.heard();
    receive(text);
  };
  return { receive: hear, end, closed };
}

interface SessionWait {
  heard(): void;
  /** A person decides about this socket: no timer runs until `resume`. */
  pause(): void;
  resume(): void;
  end(): void;
}

/** Runs `givenUp` after a silence, or when the time for opening a session is over; `end` stops both timers. */
function waitForSession(clock: Clock, givenUp: () => void): SessionWait {
  let state: "running" | "paused" | "ended" = "running";
  let stopSilence = clock.after(LIMITS.silenceMs, givenUp);
  let stopLimit = clock.after(LIMITS.sessionMs, givenUp);
  const stop = (): void => {
    stopSilence();
    stopLimit();
  };
  const heard = (): void => {
    if (state !== "running") return;
    stopSilence();
    stopSilence = clock.after(LIMITS.silenceMs, givenUp);
  };
  const pause = (): void => {
    if (state !== "ended") state = "paused";
    stop();
  };
  const resume = (): void => {
    if (state !== "paused") return;
    state = "running";
    stopLimit = clock.after(LIMITS.sessionMs, givenUp);
    heard();
  };
  const end = (): void => {
    state = "ended";
    stop();
  };
  return { heard, pause, resume, end };
}

/** Reads frames in order. Refuses invalid requests, too fast ones, and those above the limit. */
function openReader(clock: Clock, desk: Desk, line: Line): (text: string) => void {
  const rate = rateOf(clock, LIMITS.callsPerSecond, LIMITS.callsAtOnce);
  let inFlight = 0;
  let refusals = 0;

  const refuse = (id: RpcId | null, method: string, error: WireError): void => {
    line.send(errorText(id, error));
    desk.refused(method, error);
  };
  const tooMany = (id: RpcId | null, method: string, message: string): void => {
    refuse(id, method, refusalError({ code: "too-many-requests", message, advice: "retry" }));
    refusals += 1;
    if (refusals >= LIMITS.callsRefused) line.end("too-many-calls");
  };
  return (text) => {
    const parsed = parseRequest(text);
    const id = parsed.ok ? parsed.request.id : parsed.id;
    const method = parsed.ok ? parsed.request.method : "";
    if (!rate.take()) tooMany(id, method, `at most ${LIMITS.callsPerSecond} calls a second on one socket: slow down`);
    else if (!parsed.ok) refuse(id, method, parsed.error);
    else if (inFlight >= LIMITS.inFlight)
      tooMany(
        id,
        method,
        `at most ${LIMITS.inFlight} calls of one socket may wait for their reply: let some of them end`,
      );
    else {
      inFlight += 1;
      void desk.answer(parsed.request).then(() => {
        inFlight -= 1;
      });
    }
  };
}
