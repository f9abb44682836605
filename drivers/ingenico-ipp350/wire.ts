import { ascii } from "../../src/kit/bytes.ts";
import type { LineItem } from "../../src/terminal/acknowledged-line.ts";
import {
  type TransportKind,
  UNREADABLE,
  type WireDirection,
  type WireFrame,
  type WireReader,
  wireReader,
} from "../../src/terminal/driver.ts";
import { looseObjects } from "./emv-message.ts";
import { lineRules, unpackFor } from "./line.ts";
import { TO_DEVICE, TO_HOST } from "./reports.ts";

const NOTHING = new Uint8Array(0);

/** Describes the traffic for a trace: message number, EMV step and objects. */
export function wire(transport: TransportKind, direction: WireDirection): WireReader {
  const { cut } = lineRules(transport);
  const reports = direction === "sent" ? TO_DEVICE : TO_HOST;
  return wireReader<Uint8Array>(NOTHING, (pending, chunk) => {
    const { items, pending: left } = cut(pending, unpackFor(reports, transport, chunk));
    return { state: left, frames: items.flatMap(framesOf) };
  });
}

function framesOf(item: LineItem): readonly WireFrame[] {
  if (item.is === "bad") return [UNREADABLE];
  if (item.is !== "frame") return [];
  const text = ascii(item.body);
  const [, id = "?", step] = /^([0-9]{2})\.(?:(?<=33\.)([0-9]{2}))?/.exec(text) ?? [];
  return [
    {
      name: step === undefined ? `message ${id}` : `message ${id}.${step}`,
      ...(id === "33" && { objects: looseObjects(text) }),
    },
  ];
}
