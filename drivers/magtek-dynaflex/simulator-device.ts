import { findTag } from "../../src/emv/tlv.ts";
import { createCardSession } from "../../src/simulator/card-session.ts";
import { showHostText } from "../../src/simulator/host-text.ts";
import type { LineKind } from "../../src/simulator/simulated-terminal.ts";
import type { Device, DeviceOn } from "../../src/simulator/terminal-body.ts";
import { newCodec, type Over, read } from "./codec.ts";
import { texts } from "./display.ts";
import { properties } from "./identity.ts";
import type { Member } from "./members.ts";
import { objectsIn } from "./message.ts";
import { answerTo, propertiesIn } from "./properties.ts";
import { REPORT_BYTES } from "./reports.ts";
import { dynaflexLayout } from "./simulator-card-data.ts";
import { SETTABLE } from "./simulator-configuration.ts";
import {
  commandOf,
  DONE,
  type DynaFlex,
  newDynaFlex,
  next,
  type Request,
  RUNNING,
  refusal,
  reply,
  tell,
} from "./simulator-core.ts";
import { resumeRequest, startRequest } from "./simulator-request.ts";
import { cancelled, cardSays, resumed, showAtHost } from "./simulator-transaction.ts";
import { details } from "./status-codes.ts";

/** Commands that a host may have queued; further ones are lost, as in a full buffer. */
const LONGEST_QUEUE = 16;
/** Limit of a START without one. */
const UNLIMITED_MS = 86_400_000;
const PARAMETER = "020102";

/** The device's side of the protocol. It answers one command after the other. */
export function dynaflexDevice(on: DeviceOn, member: Member): Device {
  const session = createCardSession({
    ...on,
    sred: dynaflexLayout,
    hostChooses: !member.touch,
    says: (outcome) => cardSays(device, outcome),
  });
  const device = newDynaFlex({ on, member, session, run: (request) => run(device, request) });
  greet(device);
  return {
    reportBytes: REPORT_BYTES,
    receive: (bytes) => receive(device, bytes),
    connected: (line) => {
      toIdle(device);
      device.over = overOf(line);
      device.codec = newCodec(device.over, "host");
      device.isSubscribed = line === "usb" || line === "websocket";
    },
    disconnected: () => toIdle(device),
    powerOn: () => {
      toIdle(device);
      device.settings.set(properties.resetSeen, Uint8Array.of(0));
    },
  };
}

function overOf(line: LineKind): Over {
  switch (line) {
    case "usb":
      return "reports";
    case "serial":
      return "slip";
    case "tcp":
    case "websocket":
      return "messages";
  }
}

function greet({ on, member }: DynaFlex): void {
  if (member.touch) on.panel.show([texts.welcome[1]]);
}

/**
 * Ends all work after a lost link or a power cycle. A real device continues after a lost link, until the host's first
 * command.
 */
function toIdle(device: DynaFlex): void {
  device.age += 1;
  device.codec = newCodec(device.over, "host");
  device.queue = [];
  device.isBusy = false;
  device.transaction = undefined;
  device.session.reset();
  greet(device);
}

function receive(device: DynaFlex, bytes: Uint8Array): void {
  const { codec, heard, error } = read(device.codec, bytes);
  // The reaction of a real device to a broken stream is unknown; the simulator discards its input and continues.
  device.codec = error === undefined ? codec : newCodec(device.over, "host");
  for (const message of heard)
    if (message.is === "request" && device.queue.length < LONGEST_QUEUE) device.queue.push(message);
  next(device);
}

function run(device: DynaFlex, request: Request): void {
  switch (commandOf(request)) {
    case "start":
      start(device, request);
      break;
    case "resume":
      resume(device, request);
      break;
    case "cancel":
      cancel(device, request);
      break;
    case "selection":
      select(device, request);
      break;
    case "display":
      display(device, request);
      break;
    case "subscribe":
      device.isSubscribed = true;
      reply(device, request, DONE);
      break;
    case "get-property":
      getProperty(device, request);
      break;
    case "set-property":
      setProperty(device, request);
      break;
    case "extend-session":
      reply(device, request, DONE);
      break;
    case "echo":
      reply(device, request, DONE, request.payload);
      break;
    case undefined:
      reply(device, request, refusal(details.noFeature));
      break;
  }
}

function start(device: DynaFlex, request: Request): void {
  const { on, session, member } = device;
  const asked = startRequest(request.payload, on.clock.now());
  if (device.transaction !== undefined || session.at() !== "idle") reply(device, request, refusal(details.inProgress));
  else if (asked === undefined) reply(device, request, refusal(PARAMETER));
  else if (asked.ways.keyed && !member.touch) reply(device, request, refusal(details.noFeature));
  else {
    reply(device, request, RUNNING);
    device.transaction = { request: asked.request, isQuick: asked.isQuick, fallback: 0 };
    if (asked.ways.chip && on.panel.card() !== undefined) tell(device, "progress", "10010200");
    showAtHost(device, "TAP, INSERT or SWIPE CARD", true);
    const { interfaces } = member;
    const can = {
      chip: interfaces.includes("chip"),
      tap: interfaces.includes("contactless"),
      magstripe: interfaces.includes("stripe"),
    };
    const { chip, tap, magstripe, keyed } = asked.ways;
    session.begin(
      asked.request,
      keyed
        ? { keyed }
        : {
            chip: can.chip && chip === true,
            tap: can.tap && tap === true,
            magstripe: can.magstripe && magstripe === true,
          },
      asked.limitMs ?? UNLIMITED_MS,
    );
  }
}

function resume(device: DynaFlex, request: Request): void {
  const host = resumeRequest(request.payload, device.on.serialNumber);
  if (device.transaction === undefined) reply(device, request, refusal(details.noTransaction));
  else if (host === undefined) reply(device, request, refusal(PARAMETER));
  else if (device.transaction.waiting === undefined || device.session.at() === "typing")
    reply(device, request, refusal(details.wrongState));
  else {
    reply(device, request, DONE);
    resumed(device, host);
  }
}

function cancel(device: DynaFlex, request: Request): void {
  if (device.transaction === undefined) reply(device, request, refusal(details.noTransaction));
  else if (device.session.at() === "completing") reply(device, request, refusal(details.cannotCancel));
  else {
    reply(device, request, DONE);
    cancelled(device);
  }
}

function select(device: DynaFlex, request: Request): void {
  const [index] = findTag(objectsIn(request.payload), "82") ?? [];
  const isTaken = index !== undefined && device.session.choose(index + 1);
  reply(device, request, isTaken ? RUNNING : refusal(details.wrongState));
}

const TEXTS: ReadonlyMap<number, string> = new Map(Object.values(texts).map(([id, text]) => [id, text]));

function display(device: DynaFlex, request: Request): void {
  const [id = texts.welcome[0]] = findTag(objectsIn(request.payload), "82") ?? [];
  if (!device.member.touch) reply(device, request, refusal(details.noFeature));
  else if (device.transaction !== undefined) reply(device, request, refusal(details.inProgress));
  else {
    showHostText(device.on.panel, [TEXTS.get(id) ?? ""]);
    reply(device, request, DONE);
  }
}

function getProperty(device: DynaFlex, request: Request): void {
  const [asked, ...more] = propertiesIn(request.payload);
  const value = asked && device.settings.get(asked.path);
  if (asked === undefined || value === undefined || more.length > 0) reply(device, request, refusal(PARAMETER));
  else reply(device, request, DONE, answerTo(request.payload, value));
}

function setProperty(device: DynaFlex, request: Request): void {
  const [asked] = propertiesIn(request.payload);
  const isKnown = asked !== undefined && SETTABLE.includes(asked.path) && device.settings.has(asked.path);
  if (!isKnown) reply(device, request, refusal(PARAMETER));
  else {
    device.settings.set(asked.path, asked.value);
    reply(device, request, DONE, request.payload);
  }
}
