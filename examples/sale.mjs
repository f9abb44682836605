// A first register: one sale of 12.34 EUR over the register API.
//
//   node sale.mjs ws://127.0.0.1:7717/v1 TOKEN
//   node sale.mjs ws://127.0.0.1:7717/v1 TOKEN REFERENCE     asks for a sale again that was interrupted
//
// Needs Node 22 or newer, and nothing else.

// The sale's own key, for ever: the same reference never sells twice. A real register writes it down before it sends it.
const [url, token, reference = `first-${Date.now()}`] = process.argv.slice(2);
const socket = new WebSocket(url);
const calls = new Map();

/** Sends one call; resolves with its result. */
function call(method, params) {
  return new Promise((resolve, reject) => {
    const id = calls.size + 1;
    calls.set(id, { resolve, reject });
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  });
}

socket.onmessage = ({ data }) => {
  const { id, result, error, method, params } = JSON.parse(data);
  // Show the cashier what the customer is asked to do, as it happens.
  if (method === "payment.changed") console.log(params.payment.state, params.payment.prompt?.text ?? "");
  if (error !== undefined) calls.get(id)?.reject(new Error(error.data?.message ?? error.message));
  else calls.get(id)?.resolve(result);
};

// A lost connection says nothing about the sale: connect again, and ask for the same reference.
socket.onclose = () => {
  for (const { reject } of calls.values()) reject(new Error("the bridge closed the connection, or is not there"));
};

async function sell() {
  await call("session.open", { token });
  await call("payment.start", { reference, type: "SALE", terminal: "till-1", currency: "EUR", amount: "12.34" });
  const { payment } = await call("payment.wait", { reference, until: "final", timeoutMs: 120_000 });
  const why = payment.reason?.message ?? payment.state;
  console.log(
    payment.decision === "approved"
      ? "Hand over the goods."
      : payment.state === "FINAL"
        ? `Not sold: ${why}`
        : `Not decided yet: ${why}`,
  );
  const { receipt } = await call("payment.receipt", { reference, copy: "customer", format: "text" });
  console.log(receipt);
}

socket.onopen = async () => {
  try {
    await sell();
  } catch (error) {
    console.error(`${error.message}. How the sale ended is not known here: run it again with reference ${reference}`);
    process.exitCode = 1;
  }
  socket.close();
};
socket.onerror = () => {
  console.error(`${url} cannot be reached: is the bridge running?`);
  process.exitCode = 1;
};
