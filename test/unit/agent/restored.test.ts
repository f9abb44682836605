import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { confirmProblem, entitiesOf } from "../../../src/agent/restored.ts";
import { parseConfiguration } from "../../../src/config/parse.ts";
import type { LostBookings } from "../../../src/engine/ports.ts";
import { isoTime } from "../../../src/kit/clock.ts";
import { HOUR, journalWith, listed, lostName, NOW, nameBegins } from "../../support/restored-journal.ts";
import { authorizing, Story, sale } from "../../support/sale.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { SMALLEST, surroundings } from "../config/surroundings.ts";

/* What a restored folder is asked about, and when it may sell again. */

function shop() {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-restored-"));
  onTestFinished(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  const reading = parseConfiguration(SMALLEST, "/etc/posbridge/posbridge.yaml", surroundings());
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const { configuration } = reading;
  return {
    ...configuration,
    dataDir,
    gateway: { ...configuration.gateway, formerBaseUrls: ["https://former.example/"] },
  };
}

describe("the entities that the gateway is asked about after a restore", () => {
  it("are those of the configuration, and those of the journal's payments with the same gateway", () => {
    const configuration = shop();
    const { entityId, baseUrl } = configuration.gateway;
    const channels = [
      { entityId: "before gateways were noted" },
      { gateway: "https://other.example/", entityId: "of another gateway" },
      { gateway: baseUrl, entityId },
      { gateway: baseUrl, entityId: "of a terminal that is gone" },
      { gateway: "https://former.example/", entityId: "of a terminal that is gone" },
      { gateway: "https://former.example/", entityId: "under its former address" },
    ];
    expect(entitiesOf(configuration, channels)).toEqual({
      entities: [entityId],
      formerEntities: ["before gateways were noted", "of a terminal that is gone", "under its former address"],
    });
  });
});

describe("a restored folder", () => {
  const waiting = () => new Story({ ...sale, id: "pay_2", reference: "R-2" }).meets({ on: "leased" });
  const lost = {
    ...listed({ merchantTransactionId: lostName("R-2") }),
    entityId: sale.channel.entityId,
    isOwn: true,
    at: isoTime(NOW),
  };

  async function problem(read: Partial<LostBookings> | undefined, isUnread: boolean, ...stories: readonly Story[]) {
    const clock = createVirtualClock(NOW);
    const journal = await journalWith(clock, ...stories);
    const { cursors } = journal;
    await cursors.restored({ at: isoTime(NOW), last: 0, madeAt: isoTime(NOW - HOUR) });
    const times = { at: isoTime(NOW), from: isoTime(NOW - HOUR), to: isoTime(NOW) };
    if (read !== undefined) await cursors.lost({ ...times, bookings: [], ...read });
    return confirmProblem({ ...journal, nameBegins }, isUnread);
  }

  it.each([
    ["the gateway holds nothing of it", { bookings: [] }, undefined],
    ["the gateway holds a booking of it", { bookings: [lost] }, '"R-2" of register "till"'],
  ])("with a sale that waited for its card is confirmed by whether %s", async (_, read, inTheWay) => {
    const told = await problem(read, false, waiting());
    expect(told).toEqual(
      inTheWay === undefined
        ? undefined
        : expect.stringContaining(`it was not decided yet when the backup was made: ${inTheWay}`),
    );
  });

  it("of which the gateway does not tell by time needs a word of each such sale: any may have been booked", async () => {
    expect(await problem(undefined, true, waiting())).toContain('"R-2" of register "till"');
    expect(await problem(undefined, true)).toBeUndefined();
  });

  it("is read before anything is said of what was undecided", async () => {
    expect(await problem(undefined, false, authorizing())).toContain("the gateway was not asked yet");
    expect(await problem({}, false, authorizing())).toContain('"R-1" of register "till"');
  });

  it("of which one entity is not told waits until somebody has looked in the back office", async () => {
    const read = { untold: [{ entityId: "e-old", description: "800.900.300" }] };
    expect(await problem(read, false)).toBe(
      "the gateway does not tell what it has booked of e-old: look in its back office and say --unread",
    );
    expect(await problem(read, true)).toBeUndefined();
  });
});
