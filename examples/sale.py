"""One sale over the register API, to its end, also where the connection is lost on the way.

    python3 examples/sale.py URL TOKEN [AMOUNT [REFERENCE]]

Needs Debian's python3-websockets. Ends with 0 when the sale is approved, 1 when it is not, 2 when the bridge refuses it.
"""

import asyncio
import json
import sys
import time

import websockets


class Refused(Exception):
    """The error reply of a call: `error` has its code, message and advice."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.error = error


class Session:
    """One connection to the bridge. `last_cursor` outlives it: the bridge hears it again with the next session."""

    last_cursor = None

    def __init__(self, socket):
        self.socket, self.calls = socket, 0

    async def call(self, method, **params):
        self.calls += 1
        await self.socket.send(json.dumps({"jsonrpc": "2.0", "id": self.calls, "method": method, "params": params}))
        while True:
            # payment.wait is answered within 20 s: a bridge that is silent for longer is lost.
            frame = json.loads(await asyncio.wait_for(self.socket.recv(), timeout=60))
            if frame.get("method") == "payment.changed":
                Session.last_cursor = frame["params"]["cursor"]
                show(frame["params"]["payment"])
            elif frame.get("id") == self.calls and "error" in frame:
                raise Refused(frame["error"]["data"])
            elif frame.get("id") == self.calls:
                return frame["result"]


def show(payment):
    """Tells the cashier what happens. As long as nobody knows whether money moved, it is unknown and not failed."""
    if payment["state"] in ("RESOLVING", "REVERSING"):
        print("Unknown yet:", payment.get("reason", {}).get("message", "please wait"), flush=True)
    elif "prompt" in payment:
        print(payment["prompt"]["text"], flush=True)


async def sell(url, token, sale):
    """Sells over one connection. The same start over the next one finds this sale and never begins another."""
    async with websockets.connect(url) as socket:
        call = Session(socket).call
        after = {} if Session.last_cursor is None else {"after": Session.last_cursor}
        Session.last_cursor = (await call("session.open", token=token, **after))["cursor"]
        payment = (await call("payment.start", **sale))["payment"]
        name = {"reference": sale["reference"]}
        while payment["state"] != "FINAL":
            payment = (await call("payment.wait", **name, until="final", timeoutMs=20_000))["payment"]
        receipt = (await call("payment.receipt", **name, copy="customer", format="text"))["receipt"]
        return payment, receipt


async def main(url, token, amount="12.34", reference=None):
    reference = reference or f"python-{time.time_ns()}"
    print("Reference:", reference, flush=True)  # A real till writes it down before it sends it.
    sale = {"reference": reference, "type": "SALE", "terminal": "till-1", "currency": "EUR", "amount": amount}
    while True:
        try:
            payment, receipt = await sell(url, token, sale | {"queue": True})
            break
        except Refused as refused:
            print("Refused:", refused, flush=True)
            if refused.error["advice"] != "retry":
                return 2
        except (OSError, asyncio.TimeoutError, websockets.WebSocketException) as lost:
            print("No connection, trying again:", lost, flush=True)
        await asyncio.sleep(1)
    print(receipt)
    print(payment["outcome"].capitalize() + ":", payment.get("reason", {}).get("message", "hand over the goods."))
    return 0 if payment["decision"] == "approved" else 1


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 5:
        print(__doc__)
        sys.exit(2)
    sys.exit(asyncio.run(main(*sys.argv[1:])))
