/** pkg works in a folder of this name, and Node writes its path into the program. */
const WORK_FOLDER = /pkg-sea-[A-Za-z0-9]{6}(?=[/\\]sea-main\.js)/g;
const SAME = "pkg-sea-000000";

/** The program without the accidental name of a folder: made twice from the same sources, it is the same file. */
export function sameEachTime(program: Buffer): Buffer {
  const found = [...program.toString("latin1").matchAll(WORK_FOLDER)];
  if (found.length === 0) throw new Error("pkg works in another folder than expected; look at withSeaTmpDir in its lib-es5/sea.js");
  const changed = Buffer.from(program);
  for (const { index } of found) changed.write(SAME, index, "latin1");
  return changed;
}
