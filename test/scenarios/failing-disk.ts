import fs from "node:fs";

/**
 * Loaded before the program (`--import`): the disk writes nothing through while the file is there that the address of
 * this module names (`?while=FILE`).
 */
const flag = new URL(import.meta.url).searchParams.get("while");
const writeThrough = fs.fdatasyncSync;
fs.fdatasyncSync = (file) => {
  if (flag !== null && fs.existsSync(flag))
    throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO", errno: -5, syscall: "fdatasync" });
  writeThrough(file);
};
