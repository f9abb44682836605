import { expect, it } from "vitest";
import { demoCommand } from "../../../src/commands/demo.ts";
import { runProgram } from "../../../src/commands/program.ts";
import { recordedOutput } from "./recorded-output.ts";

it.each(["http://till.example/", "till.example", "*", "null", "ws://till.example"])(
  "demo refuses the origin %s before anything is started",
  async (origin) => {
    const output = recordedOutput();
    const line = { name: "posbridge", description: "", commands: [() => demoCommand(output)] };
    const code = await runProgram(
      line,
      ["demo", "--once", "--origin", "https://till.example", "--origin", origin],
      output,
      false,
    );
    expect({ code, stderr: output.stderr }).toEqual({
      code: 2,
      stderr: [
        `posbridge: --origin ${origin}: must be an exact origin without a path, for example http://127.0.0.1:8080`,
      ],
    });
  },
);
