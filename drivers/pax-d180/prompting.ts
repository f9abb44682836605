import type { PromptCode } from "../../src/card/notice.ts";
import { promptNotice } from "../../src/card/offer.ts";
import type { Collect, Step } from "./flow.ts";

/** Tells the cashier something, unless that is what was told last. */
export function prompted(job: Collect, prompt: PromptCode): Step & { readonly job: Collect } {
  return job.prompt === prompt ? { job } : { job: { ...job, prompt }, notices: [promptNotice(job.n, prompt, job.offer)] };
}
