import { systemClock } from "../../src/kit/system-clock.ts";
import { systemRandom } from "../../src/kit/system-random.ts";
import { HELP, readArguments } from "./arguments.ts";
import { generateJournal } from "./journal/generate.ts";
import { measureSales } from "./sale.ts";

const read = readArguments(process.argv.slice(2));
switch (read.is) {
  case "help":
    process.stdout.write(HELP);
    break;
  case "wrong":
    process.stderr.write(`bench: ${read.problem}\n`);
    process.exitCode = 2;
    break;
  case "journal": {
    const began = performance.now();
    const progress = (payments: number): void => {
      const seconds = ((performance.now() - began) / 1_000).toFixed(0);
      process.stderr.write(`\r${payments} of ${read.payments} payments, ${seconds} s `);
    };
    await generateJournal({ ...read, clock: systemClock, random: systemRandom, progress });
    process.stderr.write("\n");
    break;
  }
  case "sale":
    await measureSales(read.sales);
    break;
}
