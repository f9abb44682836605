import { createMemory, emptyMemoryImage } from "../../../packages/sandbox/testbed/memory.ts";
import { createSecureModule, type SecureModule } from "../../../packages/sandbox/testbed/secure-module.ts";
import { knownSredLayout } from "../../../packages/sandbox/testbed/sred-layouts.ts";
import { findTag } from "../../../src/emv/tlv.ts";
import { fromAscii } from "../../../src/kit/bytes.ts";
import { toHex } from "../../../src/kit/hex.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { type CardSession, createCardSession } from "../../../src/simulator/card-session.ts";
import { createPanel, type Panel } from "../../../src/simulator/panel.ts";
import type { CardOutcome, ReadCard, SessionOn } from "../../../src/simulator/session-contract.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";

export const SALE = { amount: "000000001234", currency: "0978", type: "00", date: "260115", time: "101500" } as const;
export const REFUND = { ...SALE, type: "20" } as const;

export const LIMIT_MS = 30_000;
export const APPROVED = { responseCode: fromAscii("00"), scripts: [] };
export const ANY = { chip: true, tap: true, magstripe: true };

/** Outcomes that end a call; the others tell how far it is. */
const ENDINGS: readonly CardOutcome["is"][] = ["read", "completed", "typed", "pin", "failed"];

export interface SessionBench {
  readonly clock: VirtualClock;
  readonly panel: Panel;
  readonly secure: SecureModule;
  readonly session: CardSession;
  /** All that was said since the last look. */
  news(): readonly CardOutcome[];
  /** The same, by name; of a failure its reason. */
  names(): readonly string[];
  /** Presses, and lets time pass. */
  types(...keys: readonly string[]): Promise<void>;
  readonly endings: () => number;
}

export function sessionBench(more: Partial<SessionOn> = {}): SessionBench {
  const clock = createVirtualClock(Date.UTC(2026, 0, 15, 10, 15, 0));
  const random = seededRandom(1);
  const memory = createMemory(emptyMemoryImage);
  const secure = createSecureModule(random, memory);
  const panel = createPanel();
  const said: CardOutcome[] = [];
  let seen = 0;
  const session = createCardSession({
    ...{
      clock,
      random,
      memory,
      secure,
      panel,
      serialNumber: "B61378A",
      send: () => undefined,
      restart: () => undefined,
    },
    capabilities: {
      ...{ interfaces: ["chip", "contactless", "stripe", "keyed"], onlinePin: true, pinAfterTap: true },
      ...{ display: true, sealed: false },
    },
    sred: knownSredLayout("MIURA_M020"),
    pace: "quick",
    says: (outcome) => said.push(outcome),
    ...more,
  });
  const news = (): readonly CardOutcome[] => {
    const fresh = said.slice(seen);
    seen = said.length;
    return fresh;
  };
  return {
    ...{ clock, panel, secure, session, news },
    names: () => news().map((outcome) => (outcome.is === "failed" ? outcome.why : outcome.is)),
    types: async (...keys) => {
      panel.press(keys);
      await clock.advance(200);
    },
    endings: () => said.filter(({ is }) => ENDINGS.includes(is)).length,
  };
}

export function readIn(outcomes: readonly CardOutcome[]): ReadCard {
  const read = outcomes.find((outcome) => outcome.is === "read");
  if (read === undefined) throw new Error(`nothing read: ${outcomes.map(({ is }) => is).join(" ")}`);
  return read;
}

export const hexIn = ({ data }: Pick<ReadCard, "data">, tag: string): string =>
  toHex(findTag(data, tag) ?? new Uint8Array(0));

/** To a card that is held. */
export async function held(card: string, more: Partial<SessionOn> = {}): Promise<SessionBench> {
  const at = sessionBench(more);
  at.session.begin(SALE, ANY, LIMIT_MS);
  at.panel.present(card);
  await at.clock.advance(200);
  if (at.session.at() === "typing") await at.types("1234", "ENTER");
  if (at.session.at() !== "held") throw new Error(`${card} is not held but ${at.session.at()}`);
  return at;
}
