/** Packed native files are named by this folder, which no file system has. */
export const PACKED_FOLDER = "/posbridge-packed/";
