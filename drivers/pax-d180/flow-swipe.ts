import { leakIn, sealedIn, tracksIn } from "./card-answer.ts";
import { type Ask, ask, type Collect, type Device, fault, prompted, type Step } from "./flow.ts";
import { startSealing } from "./flow-objects.ts";
import { startStop } from "./flow-stop.ts";
import type { Heard } from "./message.ts";
import { deviceFault, OK, SEALED, statusText } from "./status-codes.ts";

/**
 * A swipe (PROTOCOL.md 4.7 and 6.4). Without track 2 it must be repeated: only track 2 holds number and expiry as the
 * gateway takes them.
 */
export function magstripeAnswered(job: Collect, { rc, data }: Extract<Heard, { is: "answer" }>, device: Device): Step {
  const stop = (
    code: "protocol" | "device-error" | "clear-card-data" | "tampered" | "keys-missing",
    detail: string,
  ): Step => startStop(job, device, { answered: true, notices: [fault(job.n, code, detail)] });
  if (rc !== OK && rc !== SEALED) {
    const problem = deviceFault(rc);
    if (problem?.code === "tampered" || problem?.code === "keys-missing") return stop(problem.code, problem.detail);
    return stop("device-error", `the stripe could not be read: ${statusText(rc)}`);
  }
  const tracks = tracksIn(data);
  if (tracks === undefined) return stop("protocol", "a swipe whose tracks cannot be told apart");
  const leak = leakIn(tracks);
  if (leak !== undefined) return stop("clear-card-data", leak);
  if (sealedIn(tracks) === undefined) return again(job);
  const closing: readonly Ask[] = [{ name: "stripe-off" }];
  return startSealing(job, { via: "magstripe", decided: "online", found: tracks }, device, closing);
}

function again(job: Collect): Step {
  const told = prompted(job, "TRY_AGAIN");
  return { ...told, ...ask({ ...told.job, phase: { at: "polling", left: [] } }, { name: "stripe-reset" }) };
}
