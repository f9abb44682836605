/** Prefix of packed native files; no file system has this folder. */
export const PACKED_FOLDER = "/posbridge-packed/";
