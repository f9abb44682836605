/** The one status word of success. */
export const OK = "9000";

/** One line for an error or a log: the word and what it means. A word that the table does not have is unknown: the command failed, no more is known. */
export function statusTextBy(meanings: Readonly<Record<string, string>>): (statusWord: string) => string {
  return (statusWord) => {
    const meaning = Object.hasOwn(meanings, statusWord) ? meanings[statusWord] : undefined;
    return `${statusWord} (${meaning ?? "not documented"})`;
  };
}
