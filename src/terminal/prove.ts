import type { Clock } from "../kit/clock.ts";
import { identityProblem, type SelfPortrait } from "./admission.ts";
import type { DriverModel } from "./driver.ts";
import type { LineWitness } from "./line-witness.ts";
import type { Session } from "./session.ts";

/** The result of opening a line and identifying its device. */
export type Proof =
  /** `warning`: it cannot take payments yet, because keys are missing. */
  | { readonly is: "proven"; readonly told: SelfPortrait; readonly warning?: string }
  /** The line could not be opened. */
  | { readonly is: "no-link"; readonly reason: string }
  /** Not a byte came. */
  | { readonly is: "silent"; readonly reason: string }
  /** Bytes came that this model does not send. */
  | { readonly is: "strange"; readonly reason: string; readonly bytes: number }
  /** It identified itself, but may not be used. */
  | { readonly is: "refused"; readonly reason: string };

/** A session that is not yet started, with the parts that the proof needs. */
export interface Candidate {
  readonly session: Session;
  readonly model: DriverModel;
  readonly witness: LineWitness;
}

/** A device whose answer is unreadable is asked again, because old bytes may have been in the way. */
const TRIES = 2;
/** A driver gives up long before. */
const PROOF_MS = 45_000;

/**
 * Starts the session and identifies the device. The session continues whatever the result; the caller stops it if
 * unwanted.
 */
export async function prove(candidate: Candidate, clock: Clock): Promise<Proof> {
  const { session, witness } = candidate;
  const over = Promise.withResolvers<Proof>();
  let tries = 0;
  session.listen((event) => {
    // Without a link the session itself reports the reason.
    if (event.on === "status" && event.status.state === "offline" && !witness.wasOpened())
      over.resolve({ is: "no-link", reason: event.status.reason ?? "no link" });
  });
  witness.whenOpened(() => {
    tries += 1;
    void session.test().then((tested) => {
      if (tested.ok) return over.resolve({ is: "proven", told: tested });
      const told = tested.told;
      if (told !== undefined) return over.resolve(judged(told, tested.problem, candidate));
      if (session.status().state === "out-of-service") return over.resolve({ is: "refused", reason: tested.problem });
      if (witness.received() === 0) return over.resolve({ is: "silent", reason: tested.problem });
      if (tries >= TRIES) return over.resolve({ is: "strange", reason: tested.problem, bytes: witness.received() });
    });
  });
  const stopTimer = clock.after(PROOF_MS, () =>
    over.resolve({ is: "silent", reason: `no answer within ${PROOF_MS / 1000} s` }),
  );
  session.start();
  return over.promise.finally(stopTimer);
}

/** Missing keys can be injected later; any other reason makes the device unusable for this shop. */
function judged(told: SelfPortrait, problem: string, { model }: Candidate): Proof {
  const expected = { serialNumber: undefined, onlinePin: model.capabilities.onlinePin, now: { date: "", time: "" } };
  const withKeys: SelfPortrait = { ...told, keys: { ...told.keys, sred: true, pin: true } };
  const isOnlyKeys = identityProblem(told, expected) !== undefined && identityProblem(withKeys, expected) === undefined;
  return isOnlyKeys ? { is: "proven", told, warning: problem } : { is: "refused", reason: problem };
}
