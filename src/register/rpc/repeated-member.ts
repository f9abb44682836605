/*
 * JSON.parse keeps the last of two members of one name. A frame that says two things is refused instead, before anything of it is executed.
 */

/** An object or array that is open at this place of the text, and the member or entry in it that is being read. */
interface Open {
  /** Names read so far; undefined in an array. */
  readonly names: Set<string> | undefined;
  at: string | number;
  isAtName: boolean;
}

/** Where a member is named a second time in its object, or undefined. `json` must be a valid JSON text. */
export function repeatedMember(json: string): readonly (string | number)[] | undefined {
  const open: Open[] = [];
  for (let index = 0; index < json.length; index += 1) {
    const here = open.at(-1);
    switch (json[index]) {
      case "{":
        open.push({ names: new Set(), at: "", isAtName: true });
        break;
      case "[":
        open.push({ names: undefined, at: 0, isAtName: false });
        break;
      case "}":
      case "]":
        open.pop();
        break;
      case ",":
        if (here !== undefined) goOn(here);
        break;
      case '"': {
        const end = endOfString(json, index);
        if (here?.isAtName === true && !isNew(here, json.slice(index, end))) return open.map(({ at }) => at);
        index = end - 1;
        break;
      }
    }
  }
  return undefined;
}

/** Behind a comma stands the next name, or the next entry. */
function goOn(here: Open): void {
  here.isAtName = here.names !== undefined;
  if (typeof here.at === "number") here.at += 1;
}

/** `quoted`: the name as it stands in the text; escapes may spell one name in several ways. */
function isNew(here: Open, quoted: string): boolean {
  const name = String(JSON.parse(quoted));
  here.at = name;
  here.isAtName = false;
  if (here.names?.has(name) === true) return false;
  here.names?.add(name);
  return true;
}

/** The index behind the closing quote. */
function endOfString(json: string, start: number): number {
  let index = start + 1;
  while (index < json.length && json[index] !== '"') index += json[index] === "\\" ? 2 : 1;
  return index + 1;
}
