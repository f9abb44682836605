import { execFile } from "node:child_process";

const ANSWER_MS = 2_000;

/** Whether NTP keeps the kernel's clock, according to systemd. Undefined without systemd. */
export function clockSynchronized(): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    if (process.platform !== "linux") return resolve(undefined);
    execFile(
      "timedatectl",
      ["show", "--property=NTPSynchronized", "--value"],
      { timeout: ANSWER_MS },
      (error, stdout) => {
        const answer = stdout.trim();
        resolve(error !== null || (answer !== "yes" && answer !== "no") ? undefined : answer === "yes");
      },
    );
  });
}
