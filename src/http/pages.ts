import { gunzipSync } from "node:zlib";
import { escapeHtml } from "./front-page.ts";

/** Files of the web pages as `npm run pages` built them: compressed by gzip, as base64. */
export type BuiltPages = Readonly<Record<string, { readonly type: string; readonly gzip: string }>>;

export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
  /** `body` compressed by gzip; undefined for a body made for each request. */
  readonly gzip: Buffer | undefined;
  /** The name changes with the content, so the file may be cached for ever. */
  readonly lasting: boolean;
  /** Other origins that the page may contact. */
  readonly reaches: readonly string[];
}

/** Data for a page about its bridge: NAME and text of `<meta name="posbridge-NAME">`. */
export type PageMeta = Readonly<Record<string, string>>;

/** The web pages by path, such as `/till/`. */
export interface Pages {
  file(path: string): PageFile | undefined;
}

/** `meta` and `reaches` are called for each page request, because a token or port may be known only later. */
export function servePages(
  built: BuiltPages,
  meta: (path: string) => PageMeta,
  reaches: (path: string) => readonly string[] = () => [],
): Pages {
  const files = new Map(Object.entries(built).map(([path, file]) => [path, fileOf(path, file)]));
  return {
    file: (path) => {
      const file = files.get(path);
      if (file === undefined || !path.endsWith("/")) return file;
      const head = Object.entries(meta(path)).map(
        ([name, text]) => `<meta name="posbridge-${name}" content="${escapeHtml(text)}">`,
      );
      return {
        ...file,
        reaches: reaches(path),
        gzip: undefined,
        body: Buffer.from(file.body.toString("utf8").replace("</head>", () => `${head.join("")}</head>`)),
      };
    },
  };
}

function fileOf(path: string, { type, gzip }: BuiltPages[string]): PageFile {
  const compressed = Buffer.from(gzip, "base64");
  return { type, body: gunzipSync(compressed), gzip: compressed, lasting: path.startsWith("/assets/"), reaches: [] };
}
