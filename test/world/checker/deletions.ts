import type { Evidence, Post } from "./evidence.ts";
import { isCardKept } from "./registrations.ts";

/**
 * Deletions of stored cards, which are no payments: what registers asked for and were told, against what the gateway
 * keeps.
 */
export interface DeletionWitness {
  asked(reference: string, registration: string): void;
  told(reference: string, status: string): void;
  /** A register has heard anything of it, so that the bridge has written it down. */
  isTold(reference: string): boolean;
  /** False: not a deletion's. */
  posted(reference: string, post: Post): boolean;
  /** What was told last of each; "nothing" where nobody was told anything. */
  all(): readonly string[];
  end(): void;
}

interface Deletion {
  readonly reference: string;
  readonly registration: string;
  told: string | undefined;
}

const GONE: readonly string[] = ["deleted", "already-deleted"];

export function createDeletionWitness(on: {
  readonly payments: () => readonly Evidence[];
  readonly broken: (rule: string, reference: string, text: string) => void;
}): DeletionWitness {
  const all = new Map<string, Deletion>();
  const rows = () => on.payments().flatMap((payment) => payment.rows);
  /** The card is one of this world's, and this deletion alone was ever asked to take it away. */
  const isAlone = ({ registration }: Deletion): boolean => {
    const rivals = [...all.values()].filter((other) => other.registration === registration);
    return (
      rivals.length === 1 &&
      on.payments().some(({ told, asked }) => told?.registrationId === registration && asked.by !== "stored-card")
    );
  };
  const check = (deletion: Deletion, status: string): void => {
    const { reference, registration } = deletion;
    if (!GONE.includes(status)) return;
    if (isCardKept(registration, rows()))
      on.broken("deleted-is-gone", reference, `told ${status}, and the gateway keeps the card`);
    if (status === "already-deleted" && isAlone(deletion))
      on.broken("deleted-is-told", reference, "told already-deleted, and nobody else has deleted the card");
  };
  return {
    asked: (reference, registration) => {
      all.set(reference, { reference, registration, told: undefined });
      for (const payment of on.payments()) payment.mayLoseCard ||= payment.told?.registrationId === registration;
    },
    told: (reference, status) => {
      const deletion = all.get(reference);
      if (deletion === undefined) return;
      const before = deletion.told ?? "unknown";
      if (before !== "unknown" && before !== status)
        on.broken("deletion-stands", reference, `was told ${before} and then ${status}`);
      deletion.told = status;
      check(deletion, status);
    },
    isTold: (reference) => all.get(reference)?.told !== undefined,
    posted: (reference, { type, of }) => {
      const deletion = all.get(reference);
      if (deletion === undefined) return false;
      if (type !== "DR" || of !== deletion.registration)
        on.broken(
          "posts-are-asked-for",
          reference,
          `${type} of ${of ?? "nothing"} for the deletion of ${deletion.registration}`,
        );
      return true;
    },
    all: () => [...all.values()].map(({ told }) => told ?? "nothing"),
    end: () => {
      for (const { reference, told } of all.values())
        if (told === "unknown") on.broken("everything-ends", reference, "the deletion is not known yet");
    },
  };
}
