import fs from "node:fs";
import { defaultPlaces } from "../config/default-places.ts";

export const DEFAULT_PLACES = defaultPlaces(process.platform, process.env);

/** The first place with a configuration; undefined if there is none. */
export function foundConfiguration(places: readonly string[] = DEFAULT_PLACES): string | undefined {
  return places.find((place) => fs.existsSync(place));
}
