import { describe, expect, it } from "vitest";
import { checkedTokenLines, validTokensLine } from "../../../src/commands/restored-tokens.ts";
import type { CheckedTokens } from "../../../src/journal/restore.ts";

const DATA = "/var/lib/posbridge";

describe("what a technician is told of the tokens in a restored folder", () => {
  it.each<readonly [CheckedTokens, readonly string[]]>([
    [{ is: "dropped", registers: [] }, []],
    [
      { is: "dropped", registers: ["till-2", "till 3", "till-2"] },
      [
        'not restored, because /var/lib/posbridge no longer had them: tokens of "till-2", "till 3"; make new ones where they are needed (posbridge tokens create --register NAME --data /var/lib/posbridge), or pair the register anew',
      ],
    ],
    [
      { is: "unchecked", why: "/var/lib/posbridge held no tokens" },
      ["/var/lib/posbridge held no tokens: tokens that were revoked since the backup are valid again"],
    ],
    [
      { is: "damaged", why: "file is not a database" },
      [
        "the tokens of the backup are damaged (file is not a database), and none is restored; make new ones where they are needed (posbridge tokens create --register NAME --data /var/lib/posbridge), or pair the register anew",
      ],
    ],
  ])("by restore: %j", (tokens, lines) => {
    expect(checkedTokenLines(tokens, DATA)).toEqual(lines);
  });

  it("before the folder is confirmed, and when it is: which registers are let in", () => {
    expect(validTokensLine({ registers: ["till-1", "till-2"] }, DATA)).toBe(
      'Registers with a valid token: "till-1", "till-2". If one was revoked since the backup, revoke it again: posbridge tokens revoke NAME --data /var/lib/posbridge',
    );
    expect(validTokensLine({ registers: [] }, DATA)).toBe(
      "No register has a valid token. Make them: posbridge tokens create --register NAME --data /var/lib/posbridge",
    );
    expect(validTokensLine({ problem: "tokens.db cannot be used" }, DATA)).toBe("tokens.db cannot be used");
  });
});
