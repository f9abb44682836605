import { type DriverModel, type TransportKind, UNREADABLE } from "./driver.ts";
import type { LineTap } from "./line-tap.ts";

/** Records a line's bytes while its device is unknown. */
export interface LineWitness {
  readonly tap: LineTap;
  /** Runs at each opening of the link, after the session has sent its first question. */
  whenOpened(run: () => void): void;
  wasOpened(): boolean;
  /** Bytes received since the first opening. */
  received(): number;
  /** The models whose frames arrived complete. */
  readAs(models: readonly DriverModel[], transport: TransportKind): readonly DriverModel[];
  /** The device is identified: recording stops. */
  forget(): void;
}

/** An identification is far shorter. */
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
