import { defineIntroduction } from "../rpc/method.ts";
import { challengeParamsSchema, challengeResultSchema } from "../rpc/schemas.ts";

export const sessionChallenge = defineIntroduction({
  name: "session.challenge",
  summary:
    "The bridge proves itself: it signs the challenge, this socket's nonce and its own address. Before session.open.",
  notes: ["At most 4 on one socket. How to pair, step by step: `docs/pairing.md`."],
  params: challengeParamsSchema,
  result: challengeResultSchema,
  run: async (introduction, { challenge }) => introduction.challenge(challenge),
});
