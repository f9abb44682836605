// Serves sale.html and posbridge-client to a browser on this machine, as a till's own web server would:
//
//   node examples/serve.mjs [PORT]

import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const FILES = {
  "/": [new URL("sale.html", import.meta.url), "text/html; charset=utf-8"],
  "/posbridge-client.js": [new URL(import.meta.resolve("posbridge-client")), "text/javascript; charset=utf-8"],
};

const server = createServer((request, response) => {
  const [file, type] = FILES[request.url] ?? [];
  if (file === undefined) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": type }).end(readFileSync(file));
});
server.listen(Number(process.argv[2] ?? 8080), "127.0.0.1", () =>
  console.log(`http://127.0.0.1:${server.address().port}/`),
);
