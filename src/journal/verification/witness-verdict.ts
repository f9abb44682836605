import { commandWord } from "../../kit/shell-word.ts";
import { systemPlatform } from "../../kit/system-platform.ts";
import type { Tip } from "../chain.ts";
import type { DataFolder } from "../data-folder.ts";
import { JournalRefused, RESTORE } from "../refusal.ts";
import type { WitnessFound } from "../witness.ts";

/** How the journal ends. */
export interface End {
  readonly tip: Tip;
  /** Time of the last fact. */
  readonly at: string | undefined;
  /** Hash of the fact with the witness's number. */
  readonly atWitness: string | undefined;
  /** A witness was made for this journal, which is now invalid without one. */
  readonly marked: boolean;
}

/** Throws if facts are missing or differ from the witnessed ones. Returns the doubt if the witness cannot tell. */
export function requireWitnessed(
  folder: DataFolder,
  { tip, at, atWitness, marked }: End,
  witness: WitnessFound,
): JournalRefused | undefined {
  switch (witness.is) {
    case "missing":
      return tip.number === 0 && !marked ? undefined : doubtOf(folder, "witness-missing", "missing", { tip, at });
    case "damaged":
      return doubtOf(folder, "witness-damaged", "damaged", { tip, at });
    case "sound": {
      const { number, hash } = witness.tip;
      if (tip.number < number) throw factsMissing(folder, tip.number, number);
      if (atWitness !== hash)
        throw new JournalRefused(
          "chain-broken",
          `${folder.journal}: fact ${number} is not the one that ${folder.witness} names; ${RESTORE}`,
        );
      // A slot torn by a power cut names facts already on disk. Without facts beyond the other slot, it was damaged
      // later, maybe naming more.
      return witness.torn && tip.number === number
        ? doubtOf(folder, "witness-damaged", "damaged in one of its two places", { tip, at })
        : undefined;
    }
  }
}

function doubtOf(
  folder: DataFolder,
  problem: "witness-missing" | "witness-damaged",
  how: string,
  { tip, at }: Pick<End, "tip" | "at">,
): JournalRefused {
  const what = `${folder.witness} is ${how}, so facts after ${tip.number} may be missing`;
  // An empty journal proves nothing: accepting it would restart from zero despite earlier sales.
  if (at === undefined) return new JournalRefused(problem, `${what}; ${RESTORE}`);
  const proven = `facts 1 to ${tip.number} are whole, the last of ${at}, and only the gateway's back office can tell whether more was booked since`;
  return new JournalRefused(
    problem,
    `${what}; ${proven}; ${RESTORE}, or where that was all: posbridge journal accept ${tip.number} --data ${commandWord(folder.path, systemPlatform)}`,
  );
}

function factsMissing(folder: DataFolder, has: number, acknowledged: number): JournalRefused {
  const what = `${folder.journal} ends with fact ${has}, but ${acknowledged} were acknowledged: payments since fact ${has} may be missing`;
  return new JournalRefused("facts-missing", `${what}; ${RESTORE}`);
}
