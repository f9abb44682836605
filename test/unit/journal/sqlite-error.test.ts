import { expect, it } from "vitest";
import { mendOf } from "../../../src/journal/sqlite-error.ts";

const failed = (code: string, syscall: string): Error =>
  Object.assign(new Error(`${code}: operation not permitted, ${syscall}`), { code, syscall });

it.each([
  [
    failed("EPERM", "rename"),
    /^end the program that has the file open \(a virus scanner, say\), or let this user write/,
  ],
  [failed("EPERM", "open"), /^let this user write/],
  [failed("ENOSPC", "rename"), /^make room/],
])("says of %s what a person does about it", (problem, mend) => expect(mendOf(problem)).toMatch(mend));
