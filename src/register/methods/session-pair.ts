import { defineIntroduction, refuse } from "../rpc/method.ts";
import { sessionPairParamsSchema, sessionPairResultSchema } from "../rpc/schemas.ts";
import { cardNumberIn } from "../rpc/sent-fields.ts";
import { parseRegisterName } from "../tokens/token-name.ts";

export const sessionPair = defineIntroduction({
  name: "session.pair",
  summary:
    "Asks a technician to pair this register's key. The code is for a person to compare; session.paired or session.pairingRefused follows.",
  notes: [
    "One register may wait at a time; a further one gets `too-many-requests`, and so does an origin that asked 5 times in 10 minutes.",
    "The code counts once, for 5 minutes, and ends with its socket.",
  ],
  params: sessionPairParamsSchema,
  result: sessionPairResultSchema,
  run: async (introduction, request) => {
    const name = parseRegisterName(request.name);
    if (name === undefined)
      return refuse(
        "not-allowed",
        "name must be 1 to 64 printable characters, with single spaces",
        "fix-request",
        "name",
      );
    return cardNumberIn({ name }) ?? introduction.pair({ ...request, name });
  },
});
