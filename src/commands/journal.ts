import { Command } from "commander";
import { type DataFolderOptions, dataFolderOf, withDataFolder } from "./data-folder-option.ts";
import { journalProblem } from "./journal-problem.ts";
import { type Output, UsageProblem } from "./terminal-output.ts";

const EXAMPLE = `
For a start that was refused because journal.witness is damaged or missing. The journal proves by itself that no fact before
its end was changed or removed, but not that its end is the end: that was for the witness to tell. Before you accept it:

  1. Put journal.witness back, if it was moved away. Then there is nothing to accept.
  2. Keep a copy of the whole data folder as it is.
  3. Look in the gateway's back office for what this shop booked since the time that the refusal names. What is there and not in
     the journal is settled there first: this bridge does not know of it, and would sell the same reference again.

Then name the last fact, as the refusal does. The witness is made anew, and the bridge starts.

Example:
  posbridge journal accept 63 --config ./posbridge.yaml`;

const VERIFY_EXAMPLE = `
A start proves what was written since the last stop, and every open payment; the rest is proved when it is read, and
behind once a day. This command proves everything at once: each page of the database, each fact, row and index, each file
of the archive. It only reads, also beside a running bridge. 100,000 payments take half a minute.

Example:
  posbridge journal verify --config ./posbridge.yaml`;

/** `journal verify`: proves everything in a data folder. */
function verifyCommand(output: Output): Command {
  return withDataFolder(new Command("verify"))
    .description("prove everything in the journal and its archive, also beside a running bridge")
    .option("--json", "print JSON")
    .addHelpText("after", VERIFY_EXAMPLE)
    .action(async (options: DataFolderOptions & { readonly json?: true }) => {
      const dataDir = await dataFolderOf(options, output);
      const { proveFolder } = await import("../journal/prove-folder.ts");
      try {
        const proved = proveFolder(dataDir);
        const { bridge, facts, open, segments } = proved;
        const archive = segments === 0 ? "no archive" : `${segments} files of the archive`;
        output.out(
          options.json === true
            ? JSON.stringify(proved)
            : `${bridge}: facts 1 to ${facts} are as they were written, ${open} open payments, ${archive}`,
        );
      } catch (cause) {
        throw journalProblem(cause);
      }
    });
}

/** `journal accept FACT`: a technician vouches for the end of a journal whose witness cannot prove it. */
export function journalCommand(output: Output): Command {
  const accept = withDataFolder(new Command("accept"))
    .description("take the journal's last fact for the last one that there was, where its witness cannot tell")
    .argument("<fact>", "the number of the last fact, as the refused start names it")
    .addHelpText("after", EXAMPLE)
    .action(async (fact: string, options: DataFolderOptions) => {
      if (!/^[1-9][0-9]{0,14}$/.test(fact))
        throw new UsageProblem(`${fact}: name the last fact by its number, as the refused start does`);
      const dataDir = await dataFolderOf(options, output);
      const [{ acceptJournal }, { systemClock }, { systemRandom }] = await Promise.all([
        import("../journal/accept.ts"),
        import("../kit/system-clock.ts"),
        import("../kit/system-random.ts"),
      ]);
      const done = await acceptJournal({ dataDir, last: Number(fact), clock: systemClock, random: systemRandom }).catch(
        (cause: unknown) => {
          throw journalProblem(cause);
        },
      );
      if (done === "sound") return output.out("the journal and its witness are sound: there is nothing to accept");
      if (done === "mended") {
        output.err("the witness had a flipped bit, which was turned back: check this machine's memory and disk");
        return output.out("the journal is whole, and its witness proves it: there is nothing to accept");
      }
      output.out(`the journal ends with fact ${fact} from now on; its witness is made anew`);
    });
  return new Command("journal")
    .description("prove the journal, or accept one whose witness is damaged")
    .addCommand(verifyCommand(output))
    .addCommand(accept);
}
