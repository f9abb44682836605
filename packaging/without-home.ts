/** Stands in pkg's own start, before any of our code runs. */
const ASKS_HOME = Buffer.from('path.join(homedir(), ".cache")');
const ASKS_NOTHING = Buffer.from('"/nonexistent"'.padEnd(ASKS_HOME.length));

/**
 * The program without pkg's question for the home folder, which ends a process whose user the system does not know (in a container). pkg would keep native code
 * there; src/commands/packed-addons.ts loads it another way.
 */
export function withoutHome(program: Buffer): Buffer {
  const changed = Buffer.from(program);
  let at = changed.indexOf(ASKS_HOME);
  if (at === -1) throw new Error("pkg asks for the home folder in other words than expected; look at its prelude/bootstrap-shared.js");
  for (; at !== -1; at = changed.indexOf(ASKS_HOME, at)) ASKS_NOTHING.copy(changed, at);
  return changed;
}
