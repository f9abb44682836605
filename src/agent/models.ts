import type { KnownModel } from "../config/surroundings.ts";
import type { DriverModel } from "../terminal/driver.ts";
import { readOptions } from "../terminal/options.ts";

/** The models in the form for checking a configuration. */
export function knownModels(
  models: readonly Pick<DriverModel, "id" | "lines" | "options" | "acquirerQuestions">[],
): readonly KnownModel[] {
  return models.map(({ id, lines, options, acquirerQuestions }) => ({
    id,
    lines,
    optionsProblem: (given) => {
      const read = readOptions(options, given);
      return read.ok ? undefined : read.problem;
    },
    ...(acquirerQuestions && {
      acquirerQuestions: (given) => {
        const read = readOptions(options, given);
        return read.ok ? acquirerQuestions(read.options) : [];
      },
    }),
  }));
}
