import { CallRefused } from "../../src/client/errors.ts";
import type { Conduct } from "./plan.ts";
import { later } from "./processes.ts";
import type { Deletion } from "./record.ts";
import type { Register } from "./register.ts";

/** Deleting a stored card: the register asks until it is told what became of it. */

/** Between two tries, where it is not known yet or the bridge takes nothing at this moment. */
const AGAIN_MS = 1_000;

export function isKnown({ tellings }: Deletion): boolean {
  return tellings.some(({ says }) => says !== "unknown");
}

/** Resolves when it is known, when it is refused for good, or when the cashier has waited for so long. */
export async function askDeletion(register: Register, deletion: Deletion, patienceMs: number): Promise<void> {
  const until = performance.now() + patienceMs;
  do {
    if (!(await asked(deletion, (sent) => register.ask(sent).then(({ value }) => value))) || isKnown(deletion)) return;
    await later(AGAIN_MS);
  } while (performance.now() < until);
}

/** What is done besides: the same at once on a second socket, and later again. */
export async function askDeletionAside(
  register: Register,
  deletion: Deletion,
  { twice, repeats }: Pick<Conduct, "twice" | "repeats">,
): Promise<void> {
  const again = async (afterMs: number): Promise<void> => {
    await later(afterMs);
    await asked(deletion, (sent) => register.askAside(sent));
  };
  await Promise.all([...(twice ? [again(0)] : []), ...repeats.map(({ delayMs }) => again(delayMs))]);
}

type Says = Deletion["tellings"][number]["says"];
type Ask = (
  sent: (client: {
    readonly deleteRegistration: (params: { registration: string; reference: string }) => Promise<Says>;
  }) => Promise<Says>,
) => Promise<Says | undefined>;

/** False where it was refused and asking again is of no use. */
async function asked({ reference, registration, tellings, refusals }: Deletion, ask: Ask): Promise<boolean> {
  let sentAt = Date.now();
  try {
    const says = await ask((client) => {
      sentAt = Date.now();
      return client.deleteRegistration({ registration, reference });
    });
    if (says !== undefined) tellings.push({ sentAt, at: Date.now(), says });
    return true;
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
    refusals.push({ sentAt, code: error.code, message: error.message });
    return error.advice === "retry";
  }
}
