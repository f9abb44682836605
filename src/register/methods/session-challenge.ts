import { defineIntroduction } from "../rpc/method.ts";
import { challengeParamsSchema, challengeResultSchema } from "../rpc/schemas.ts";

export const sessionChallenge = defineIntroduction({
  name: "session.challenge",
  summary:
    "The bridge proves itself: it signs the challenge, this socket's nonce and its own address. Before session.open.",
  params: challengeParamsSchema,
  result: challengeResultSchema,
  run: async (introduction, { challenge }) => introduction.challenge(challenge),
});
