import type { Context } from "./context.ts";
import type { Reply } from "./exchange.ts";
import { bareReply, stampOf } from "./replies.ts";

/** RFC 6750, section 2.1. */
const BEARER = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i;
const NOT_AUTHENTICATED = "800.900.300";

/**
 * Specification, "Authentication": 401 without a well-formed header, 403 if the token does not open the entity.
 * Undefined: authenticated.
 */
export function authenticationProblem(
  context: Context,
  authorization: string | undefined,
  entityId: string | undefined,
): Reply | undefined {
  const token = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  if (token === undefined) return bareReply(401, NOT_AUTHENTICATED, stampOf(context));
  const opens = context.entities.some(
    (entity) => entity.token === token && (entityId === undefined || entity.entityId === entityId),
  );
  return opens ? undefined : bareReply(403, NOT_AUTHENTICATED, stampOf(context));
}
