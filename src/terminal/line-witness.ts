import { type DriverModel, type TransportKind, UNREADABLE } from "./driver.ts";
import type { LineTap } from "./line-tap.ts";

/** Sees what comes over a line while nobody knows yet which device is at its other end. */
export interface LineWitness {
  readonly tap: LineTap;
  /** Calls each time the link was opened, after the session has begun to ask who is there. */
  whenOpened(run: () => void): void;
  wasOpened(): boolean;
  /** How many bytes came since the link was opened first. */
  received(): number;
  /** Of which of these models whole frames came. */
  readAs(models: readonly DriverModel[], transport: TransportKind): readonly DriverModel[];
  /** The device is known: nothing is kept any more. */
  forget(): void;
}

/** An answer to a question who is there is far shorter. */
const MOST_BYTES = 8_192;

export function createLineWitness(): LineWitness {
  const openings: (() => void)[] = [];
  let kept: Uint8Array[] = [];
  let count = 0;
  let isWatching = true;
  let isKnownToOpen = false;
  return {
    tap: {
      opened: () => {
        isKnownToOpen = true;
        for (const run of openings) queueMicrotask(run);
      },
      sent: () => undefined,
      received: (bytes) => {
        if (!isWatching || count > MOST_BYTES) return;
        count += bytes.length;
        kept.push(bytes);
      },
      frameError: () => undefined,
      lost: () => undefined,
    },
    whenOpened: (run) => void openings.push(run),
    wasOpened: () => isKnownToOpen,
    received: () => count,
    readAs: (models, transport) => models.filter((model) => hasFrame(model, transport, kept)),
    forget: () => {
      isWatching = false;
      kept = [];
      openings.splice(0);
    },
  };
}

function hasFrame({ wire, lines }: DriverModel, transport: TransportKind, chunks: readonly Uint8Array[]): boolean {
  if (!lines.some(({ kind }) => kind === transport)) return false;
  let reader = wire?.(transport, "received");
  for (const bytes of chunks) {
    const taken = reader?.take(bytes);
    if (taken?.frames.some(({ name }) => name !== UNREADABLE.name)) return true;
    reader = taken?.next;
  }
  return false;
}
