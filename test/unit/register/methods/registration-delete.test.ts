import { describe, expect, it } from "vitest";
import { errorOf, opened } from "../../../contract/talk.ts";

const deletion = { registration: "8ac7a49f000000000000000000000001", reference: "D-1" };

describe("registration.delete", () => {
  it("asks the engine, and tells what became of the stored card", async () => {
    const open = await opened("desk-token");
    expect((await open.call("registration.delete", deletion)).result).toEqual({ ...deletion, deletion: "deleted" });
    expect((await open.call("registration.delete", deletion)).result).toEqual({
      ...deletion,
      deletion: "already-deleted",
    });
    expect(open.payments.deletions).toEqual([deletion, deletion]);
  });

  it("needs the scope stored-cards", async () => {
    const open = await opened("office-token");
    expect(errorOf(await open.call("registration.delete", deletion))).toMatchObject({ is: "forbidden" });
    expect(open.payments.deletions).toEqual([]);
  });

  it.each([
    ["registration", { registration: "a/b" }],
    ["reference", { reference: "" }],
    ["amount", { amount: "1.00" }],
  ])("refuses a wrong %s by its name", async (path, changes) => {
    const open = await opened("desk-token");
    expect(errorOf(await open.call("registration.delete", { ...deletion, ...changes }))).toMatchObject({
      is: "invalid-params",
      path,
    });
  });

  it("keeps no reference that looks like a card number", async () => {
    const open = await opened("desk-token");
    const said = errorOf(await open.call("registration.delete", { ...deletion, reference: "4111 1111 1111 1111" }));
    expect(said).toMatchObject({ is: "card-number-in-text", path: "reference" });
  });
});
