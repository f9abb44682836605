import { expect, it } from "vitest";
import { launchd, launchdPlist } from "../../../src/service/launchd.ts";

const settings = {
  program: "/usr/local/bin/posbridge",
  config: "/usr/local/etc/a & <b>.yaml",
  user: "_posbridge",
  dataDir: "/usr/local/var/posbridge",
};

it("writes a property list that starts the program and keeps it alive", () => {
  const text = launchdPlist(settings);
  const words = [...text.matchAll(/<string>([^<]*)<\/string>/g)].map(([, word]) => word);
  expect(words.slice(1, 5)).toEqual([
    "/usr/local/bin/posbridge",
    "run",
    "--config",
    "/usr/local/etc/a &amp; &lt;b&gt;.yaml",
  ]);
  expect(text).toMatch(/<key>KeepAlive<\/key><true\/>/);
  // Each tag that is opened is closed.
  const tags = [...text.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/g)].filter(([, , , closed]) => closed === "");
  const open: string[] = [];
  for (const [, end, name = ""] of tags) {
    if (end === "") open.push(name);
    else expect(open.pop()).toBe(name);
  }
  expect(open).toEqual([]);
});

it("is shown and not installed, because no machine has run it yet", () => expect(launchd.installable).toBe(false));

it("reads what launchctl says", () => {
  const running = "system/com.posbridge.posbridge = {\n\tstate = running\n\tlast exit code = (never exited)\n}";
  expect(launchd.state(running)).toEqual({ installed: true, enabled: true, running: true, state: "running" });
  expect(launchd.state("\tstate = spawn scheduled\n\tlast exit code = 2\n")).toMatchObject({
    running: false,
    failure: "last exit code 2",
  });
  expect(launchd.state("")).toMatchObject({ installed: false, state: "not loaded" });
});
