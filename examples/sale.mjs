// One sale over the register API, to its end, also where the connection is lost on the way.
//
//   node examples/sale.mjs URL TOKEN [AMOUNT [REFERENCE]]
//
// Needs Node 22 or newer and posbridge-client. Ends with 0 when the sale is approved, 1 when it is not, 2 when the bridge
// refuses it.

import { connect } from "posbridge-client";

// The sale's own key, for ever: the same reference never sells twice. A real till writes it down before it sends it.
const [url, token, amount = "12.34", reference = `node-${Date.now()}`] = process.argv.slice(2);
if (token === undefined) {
  console.log("node examples/sale.mjs URL TOKEN [AMOUNT [REFERENCE]]");
  process.exit(2);
}
console.log("Reference:", reference);

// Connects again by itself, goes on after the last cursor, and sends a start without an answer once more.
const register = connect({
  url,
  token,
  onState: (state) => state.is === "lost" && console.log("No connection, trying again:", state.trouble.message),
});

/** Tells the cashier what happens. As long as nobody knows whether money moved, it is unknown and not failed. */
function show({ state, prompt, reason }) {
  if (state === "RESOLVING" || state === "REVERSING") console.log("Unknown yet:", reason?.message ?? "please wait");
  else if (prompt) console.log(prompt.text);
}

try {
  const sale = register.start({ reference, type: "SALE", terminal: "till-1", currency: "EUR", amount, queue: true });
  for await (const payment of sale) show(payment);
  const { decision, outcome, reason } = await sale.final;
  console.log(await register.receipt({ reference }, { copy: "customer", format: "text" }));
  const ended = outcome[0] + outcome.slice(1).toLowerCase();
  console.log(`${ended}:`, decision === "approved" ? "hand over the goods." : reason.message);
  process.exitCode = decision === "approved" ? 0 : 1;
} catch (error) {
  // The bridge refuses the token or the call. A lost connection does not come here.
  console.log("Refused:", error.message);
  process.exitCode = 2;
} finally {
  register.close();
}
