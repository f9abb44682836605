// Serves sale.html to a browser on this machine, as a register's own web server would: node serve.mjs [PORT]

import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const server = createServer((_request, response) => {
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(readFileSync(new URL("sale.html", import.meta.url)));
});
server.listen(Number(process.argv[2] ?? 8080), "127.0.0.1", () =>
  console.log(`http://127.0.0.1:${server.address().port}/`),
);
