import type { Rule } from "./rule.ts";

/**
 * From the decision to take a request up, or to end it, to the moment at which that is seen: the journal's word, and
 * the way to the terminal, the gateway or the register.
 */
const WAY_MS = 100;

/**
 * What `expiresInMs` promises (contract, section 3): a request that is too old is not taken up any more, and told so at
 * once; nothing else ends for its age. The acceptance lies
 * between the start and the first word of it. A clock that somebody sets makes nothing older.
 */
export const agesAreKept: Rule = {
  rule: "ages-are-kept",
  broken: ({ asked: { expiresInMs }, told, sentAt = 0, acceptedAt, takenUpAt, isDelayed, final }) => {
    const endedAt = told?.reason === "request-expired" ? final?.at : undefined;
    if (expiresInMs === undefined)
      return endedAt === undefined ? undefined : "ended for its age, which nobody had limited";
    if (endedAt !== undefined && takenUpAt !== undefined) return "ended for its age after it was taken up";
    if (endedAt !== undefined && endedAt < sentAt + expiresInMs)
      return `ended for its age ${sentAt + expiresInMs - endedAt} ms too soon`;
    if (acceptedAt === undefined) return undefined;
    const late = (at = 0): number => at - acceptedAt - expiresInMs - WAY_MS;
    if (late(takenUpAt) > 0) return `taken up ${late(takenUpAt)} ms after it was too old`;
    return late(endedAt) > 0 && !isDelayed ? `ended for its age ${late(endedAt)} ms late` : undefined;
  },
};
