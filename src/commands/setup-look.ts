import type { Surroundings } from "../config/surroundings.ts";
import { closedPlace, type Reader } from "../kit/read-access.ts";
import { shellWord } from "../kit/shell-word.ts";
import { hiddenFolder } from "../service/platforms.ts";
import { systemd } from "../service/systemd.ts";

/** Reads files with the rights of the service's user: root, who runs this, may read all. */
export function lookAs(look: Surroundings["look"], reader: Reader & { readonly name: string }): Surroundings["look"] {
  return (path) => {
    const seen = look(path);
    if (seen.is !== "file" || "own" in seen.access) return seen;
    const [self] = seen.access;
    const hidden = [path, self?.path ?? path]
      .map((each) => hiddenFolder(systemd, each))
      .find((each) => each !== undefined);
    if (hidden !== undefined) return { is: "unreadable", detail: `a service sees nothing below ${hidden}: move it` };
    const closed = closedPlace(seen.access, reader);
    if (closed === undefined) return seen;
    const detail =
      closed === self
        ? `by ${reader.name}: chown ${reader.name} ${shellWord(path)}`
        : `${reader.name} may not enter ${closed.path}: move it`;
    return { is: "unreadable", detail };
  };
}
