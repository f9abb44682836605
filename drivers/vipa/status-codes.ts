/** The only status word of success. */
export const OK = "9000";

/**
 * One line for an error or a log: the word with its meaning. A word outside the table means only that the command
 * failed.
 */
export function statusTextBy(meanings: Readonly<Record<string, string>>): (statusWord: string) => string {
  return (statusWord) => {
    const meaning = Object.hasOwn(meanings, statusWord) ? meanings[statusWord] : undefined;
    return `${statusWord} (${meaning ?? "not documented"})`;
  };
}
