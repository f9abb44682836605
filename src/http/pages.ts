import { gunzipSync } from "node:zlib";
import { escapeHtml } from "./front-page.ts";

/** A file of the web pages as `npm run pages` built it: its content compressed by gzip, as base64. */
export type BuiltPages = Readonly<Record<string, { readonly type: string; readonly gzip: string }>>;

export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
  /** `body` compressed by gzip, where it is not made for each request. */
  readonly gzip: Buffer | undefined;
  /** The name changes with the content: it may be kept for ever. */
  readonly lasting: boolean;
  /** Origins beside this port that the page may talk to. */
  readonly reaches: readonly string[];
}

/** What a page is told about the bridge that serves it: NAME and text of `<meta name="posbridge-NAME">`. */
export type PageMeta = Readonly<Record<string, string>>;

/** The web pages by their path, such as `/till/`. */
export interface Pages {
  file(path: string): PageFile | undefined;
}

/** `meta` and `reaches` are asked at every request of a page: a token, or a port, may be known only later. */
export function servePages(built: BuiltPages, meta: (path: string) => PageMeta, reaches: (path: string) => readonly string[] = () => []): Pages {
  const files = new Map(Object.entries(built).map(([path, file]) => [path, fileOf(path, file)]));
  return {
    file: (path) => {
      const file = files.get(path);
      if (file === undefined || !path.endsWith("/")) return file;
      const head = Object.entries(meta(path)).map(([name, text]) => `<meta name="posbridge-${name}" content="${escapeHtml(text)}">`);
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
