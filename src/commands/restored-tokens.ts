import type { ValidTokens } from "../agent/restored-tokens.ts";
import type { CheckedTokens } from "../journal/restore.ts";
import { commandWord } from "../kit/shell-word.ts";
import { systemPlatform } from "../kit/system-platform.ts";

/** The report of `restore` on the backup's tokens; empty if none was revoked since. */
export function checkedTokenLines(tokens: CheckedTokens, dataDir: string): readonly string[] {
  const create = `make new ones where they are needed (${command("create --register NAME", dataDir)}), or pair the register anew`;
  switch (tokens.is) {
    case "dropped":
      if (tokens.registers.length === 0) return [];
      return [`not restored, because ${dataDir} no longer had them: tokens of ${namesOf(tokens.registers)}; ${create}`];
    case "unchecked":
      return [`${tokens.why}: tokens that were revoked since the backup are valid again`];
    case "damaged":
      return [`the tokens of the backup are damaged (${tokens.why}), and none is restored; ${create}`];
  }
}

/** Registers with access to a restored folder, for the confirmation. */
export function validTokensLine(tokens: ValidTokens, dataDir: string): string {
  if ("problem" in tokens) return tokens.problem;
  if (tokens.registers.length === 0)
    return `No register has a valid token. Make them: ${command("create --register NAME", dataDir)}`;
  return `Registers with a valid token: ${namesOf(tokens.registers)}. If one was revoked since the backup, revoke it again: ${command("revoke NAME", dataDir)}`;
}

function namesOf(registers: readonly string[]): string {
  return [...new Set(registers)].map((name) => JSON.stringify(name)).join(", ");
}

function command(verb: string, dataDir: string): string {
  return `posbridge tokens ${verb} --data ${commandWord(dataDir, systemPlatform)}`;
}
