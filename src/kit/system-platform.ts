import { type Platform, platformOf } from "./platform.ts";

/** The system that this process runs on. Everything else gets it passed in, so that a test can name another one. */
export const systemPlatform: Platform = platformOf(process.platform);
