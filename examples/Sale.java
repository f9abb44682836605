import com.google.gson.Gson;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.*;

/**
 * One sale over the register API, to its end, also where the connection is lost on the way.
 *
 *   java -cp /usr/share/java/gson.jar examples/Sale.java URL TOKEN [AMOUNT [REFERENCE]]
 *
 * Needs Java 17 and Gson (Debian's openjdk-17-jdk-headless and libgoogle-gson-java).
 * Ends with 0 when the sale is approved, 1 when it is not, 2 when the bridge refuses it.
 */
class Sale implements WebSocket.Listener {
    static class Refused extends Exception {
        final String advice;

        Refused(JsonObject error) {
            super(text(error, "data", "message"));
            advice = text(error, "data", "advice");
        }
    }

    static final Gson GSON = new Gson();
    static final String LOST = "";
    /** The last cursor of any connection: the bridge hears it again with the next session. */
    static String lastCursor;

    final BlockingQueue<String> frames = new LinkedBlockingQueue<>();
    final StringBuilder parts = new StringBuilder();

    @Override public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean isLast) {
        parts.append(part);
        if (isLast) {
            frames.add(parts.toString());
            parts.setLength(0);
        }
        socket.request(1);
        return null;
    }

    @Override public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
        frames.add(LOST);
        return null;
    }

    @Override public void onError(WebSocket socket, Throwable error) {
        frames.add(LOST);
    }

    /** One call after the other, so that the next reply is always the one to this call. */
    JsonObject call(WebSocket socket, String method, Map<String, ?> params) throws Exception {
        socket.sendText(GSON.toJson(Map.of("jsonrpc", "2.0", "id", 1, "method", method, "params", params)), true);
        while (true) {
            // payment.wait is answered within 20 s: a bridge that is silent for longer is lost.
            var received = frames.poll(60, TimeUnit.SECONDS);
            if (received == null || received.equals(LOST)) throw new IOException("the socket is closed");
            var frame = GSON.fromJson(received, JsonObject.class);
            if (frame.has("error")) throw new Refused(frame.getAsJsonObject("error"));
            if (frame.has("result")) return frame.getAsJsonObject("result");
            if (text(frame, "method").equals("payment.changed")) {
                lastCursor = text(frame, "params", "cursor");
                show(frame.getAsJsonObject("params").getAsJsonObject("payment"));
            }
        }
    }

    /** Tells the cashier what happens. As long as nobody knows whether money moved, it is unknown and not failed. */
    static void show(JsonObject payment) {
        if (text(payment, "state").matches("RESOLVING|REVERSING"))
            System.out.println("Unknown yet: " + text(payment, "reason", "message"));
        else if (payment.has("prompt")) System.out.println(text(payment, "prompt", "text"));
    }

    /** The text at the end of this path; null where there is none. */
    static String text(JsonObject from, String... path) {
        for (var at = 0; at < path.length - 1 && from != null; at++) from = from.getAsJsonObject(path[at]);
        return from == null ? null : from.get(path[path.length - 1]).getAsString();
    }

    /** Sells over one connection. The same start over the next one finds this sale and never begins another. */
    static JsonObject sell(String url, String token, Map<String, ?> sale) throws Exception {
        var session = new Sale();
        var socket = HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(URI.create(url), session).get();
        try {
            var opening = lastCursor == null ? Map.of("token", token) : Map.of("token", token, "after", lastCursor);
            lastCursor = text(session.call(socket, "session.open", opening), "cursor");
            var payment = session.call(socket, "payment.start", sale).getAsJsonObject("payment");
            var wait = Map.of("reference", sale.get("reference"), "until", "final", "timeoutMs", 20_000);
            while (!text(payment, "state").equals("FINAL"))
                payment = session.call(socket, "payment.wait", wait).getAsJsonObject("payment");
            var copy = Map.of("reference", sale.get("reference"), "copy", "customer", "format", "text");
            System.out.println(text(session.call(socket, "payment.receipt", copy), "receipt"));
            return payment;
        } finally {
            socket.abort();
        }
    }

    public static void main(String[] args) throws Exception {
        if (args.length < 2) {
            System.out.println("java -cp /usr/share/java/gson.jar examples/Sale.java URL TOKEN [AMOUNT [REFERENCE]]");
            System.exit(2);
        }
        var amount = args.length > 2 ? args[2] : "12.34";
        var reference = args.length > 3 ? args[3] : "java-" + System.currentTimeMillis();
        System.out.println("Reference: " + reference); // A real till writes it down before it sends it.
        var sale = Map.of("reference", reference, "type", "SALE", "terminal", "till-1", "currency", "EUR",
            "amount", amount, "queue", true);
        while (true) {
            try {
                var payment = sell(args[0], args[1], sale);
                var isApproved = text(payment, "decision").equals("approved");
                var outcome = text(payment, "outcome");
                System.out.println(outcome.charAt(0) + outcome.substring(1).toLowerCase() + ": "
                    + (isApproved ? "hand over the goods." : text(payment, "reason", "message")));
                System.exit(isApproved ? 0 : 1);
            } catch (Refused refused) {
                System.out.println("Refused: " + refused.getMessage());
                if (!refused.advice.equals("retry")) System.exit(2);
            } catch (IOException | ExecutionException lost) {
                System.out.println("No connection, trying again: " + lost.getMessage());
            }
            Thread.sleep(1000);
        }
    }
}
