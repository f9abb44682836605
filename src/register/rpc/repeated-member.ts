/*
 * JSON.parse keeps the last of two members with the same name. Such a frame is ambiguous and is refused before it is
 * executed.
 */

/** An object or array open at this place, and its current member or entry. */
interface Open {
  /** Names read so far; undefined in an array. */
  readonly names: Set<string> | undefined;
  at: string | number;
  isAtName: boolean;
}

/** The path of a repeated member, or undefined. `json` must be a valid JSON text. */
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

/** After a comma comes the next name or the next entry. */
function goOn(here: Open): void {
  here.isAtName = here.names !== undefined;
  if (typeof here.at === "number") here.at += 1;
}

/** `quoted`: the name as in the text; escapes allow several spellings. */
function isNew(here: Open, quoted: string): boolean {
  const name = String(JSON.parse(quoted));
  here.at = name;
  here.isAtName = false;
  if (here.names?.has(name) === true) return false;
  here.names?.add(name);
  return true;
}

/** The index after the closing quote. */
function endOfString(json: string, start: number): number {
  let index = start + 1;
  while (index < json.length && json[index] !== '"') index += json[index] === "\\" ? 2 : 1;
  return index + 1;
}
