import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { createWitness } from "../../../src/journal/witness.ts";
import { DATABASE, WITNESS } from "./image.ts";

const tipSchema = z.object({ number: z.int(), hash: z.string() });
const versionSchema = z.object({ user_version: z.int() });

/** Puts into a folder what the program of that version left there when it was stopped (record-version.ts). */
export function putRecorded(version: number, folder: string): string {
  const file = path.join(folder, DATABASE);
  for (const name of [file, `${file}-wal`, `${file}-shm`]) fs.rmSync(name, { force: true });
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL; ${fs.readFileSync(`test/vectors/journal-${version}.sql`, "utf8")}`);
  createWitness(
    path.join(folder, WITNESS),
    tipSchema.parse(database.prepare("SELECT number, hash FROM facts ORDER BY number DESC").get()),
  );
  database.close();
  return folder;
}

/** The version that the database in a folder says it is of. */
export function versionIn(folder: string): number {
  const database = new DatabaseSync(path.join(folder, DATABASE), { readOnly: true });
  try {
    return versionSchema.parse(database.prepare("PRAGMA user_version").get()).user_version;
  } finally {
    database.close();
  }
}
