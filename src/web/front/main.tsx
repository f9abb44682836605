import { render } from "preact";
import { pageMeta } from "../bridge/page-meta.ts";
import { Frame } from "../design/frame.tsx";

const DOORS = [
  { path: "/till/", name: "Till", text: "Sell, refund, reserve and capture; receipts, history and the day's totals." },
  {
    path: "/console/",
    name: "Console",
    text: "Terminals, payments step by step, checks, and the line of a terminal in words.",
  },
] as const;
const TERMINAL = {
  path: "/terminal/",
  name: "Terminal",
  text: "The simulated terminal, its deck of cards, and the sandbox gateway behind it.",
} as const;

/** The page at `/`: an introduction with links. */
function Front() {
  const doors = pageMeta("terminal-page") === undefined ? DOORS : [...DOORS, TERMINAL];
  return (
    <Frame page="posbridge">
      <div class="front">
        <h1>The bridge between cash registers, card terminals and a payment gateway</h1>
        <ul class="doors">
          {doors.map(({ path, name, text }) => (
            <li key={path}>
              <a class="card door" href={path}>
                <strong>{name}</strong>
                <span class="soft">{text}</span>
              </a>
            </li>
          ))}
        </ul>
        <p class="soft small">
          Version {pageMeta("version")}. Registers connect to the WebSocket <code>/v1</code>;{" "}
          <a href="/openrpc.json">openrpc.json</a> describes every call. <a href="/healthz">healthz</a>: the process is
          up. <a href="/readyz">readyz</a>: payments may be started. <a href="/metrics">metrics</a>: figures for
          Prometheus.
        </p>
      </div>
    </Frame>
  );
}

const place = document.querySelector("#page");
if (place !== null) render(<Front />, place);
