<?php
/*
 * One sale over the register API, to its end, also where the connection is lost on the way.
 *
 *   php examples/sale.php URL TOKEN [AMOUNT [REFERENCE]]
 *
 * Needs PHP 8.1 and nothing else (Debian's php-cli). Ends with 0 when the sale is approved, 1 when it is not, 2 when the
 * bridge refuses it.
 */
declare(strict_types=1);

class Lost extends RuntimeException {}
class Refused extends RuntimeException {}

/** One connection to the bridge: a WebSocket as RFC 6455 has it, and one call after the other over it. */
class Session {
    /** Of any connection: the bridge hears it again with the next session. */
    public static ?string $lastCursor = null;
    private $stream;
    private int $calls = 0;

    public function __construct(string $url) {
        ['host' => $host, 'port' => $port, 'path' => $path] = parse_url($url);
        $transport = str_starts_with($url, 'wss:') ? 'tls' : 'tcp';
        $this->stream = @stream_socket_client("$transport://$host:$port", $code, $problem, 10) ?: throw new Lost($problem);
        // payment.wait is answered within 20 s: a bridge that is silent for longer is lost.
        stream_set_timeout($this->stream, 60);
        $key = base64_encode(random_bytes(16));
        fwrite($this->stream, "GET $path HTTP/1.1\r\nHost: $host:$port\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            . "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: $key\r\n\r\n");
        $answer = stream_get_line($this->stream, 8192, "\r\n\r\n") ?: throw new Lost('no answer');
        if (!str_starts_with($answer, 'HTTP/1.1 101 ')) throw new Lost(strtok($answer, "\r"));
    }

    public function call(string $method, array $params): array {
        $this->send(0x1, json_encode(['jsonrpc' => '2.0', 'id' => ++$this->calls, 'method' => $method, 'params' => $params]));
        while (true) {
            $frame = json_decode($this->receive(), true, flags: JSON_THROW_ON_ERROR);
            if (isset($frame['error'])) {
                throw new Refused($frame['error']['data']['message'], $frame['error']['data']['advice'] === 'retry' ? 1 : 0);
            }
            if (isset($frame['id'])) return $frame['result'];
            if ($frame['method'] === 'payment.changed') {
                self::$lastCursor = $frame['params']['cursor'];
                show($frame['params']['payment']);
            }
        }
    }

    /** The bridge sends every message as one frame without a mask; those of a client are masked. */
    private function receive(): string {
        while (true) {
            [, $opcode, $length] = unpack('C2', $this->read(2));
            if ($length === 126) $length = unpack('n', $this->read(2))[1];
            if ($length === 127) $length = unpack('J', $this->read(8))[1];
            $text = $this->read($length);
            if ($opcode === 0x81) return $text;
            if ($opcode === 0x89) $this->send(0xA, $text); // A ping wants its pong.
            if ($opcode === 0x88) throw new Lost('the bridge closed it: ' . substr($text, 2));
        }
    }

    private function read(int $length): string {
        $bytes = $length === 0 ? '' : stream_get_contents($this->stream, $length);
        return strlen($bytes) === $length ? $bytes : throw new Lost('it was cut');
    }

    private function send(int $opcode, string $text): void {
        $length = strlen($text);
        $mask = random_bytes(4);
        $head = $length < 126 ? pack('CC', 0x80 | $opcode, 0x80 | $length) : pack('CCn', 0x80 | $opcode, 0x80 | 126, $length);
        if (@fwrite($this->stream, $head . $mask . ($text ^ str_pad('', $length, $mask))) === false) throw new Lost('it was cut');
    }
}

/** Tells the cashier what happens. As long as nobody knows whether money moved, it is unknown and not failed. */
function show(array $payment): void {
    if (in_array($payment['state'], ['RESOLVING', 'REVERSING'])) {
        echo 'Unknown yet: ', $payment['reason']['message'] ?? 'please wait', "\n";
    } elseif (isset($payment['prompt'])) {
        echo $payment['prompt']['text'], "\n";
    }
}

/** Sells over one connection. The same start over the next one finds this sale and never begins another. */
function sell(string $url, string $token, array $sale): array {
    $session = new Session($url);
    $after = Session::$lastCursor === null ? [] : ['after' => Session::$lastCursor];
    Session::$lastCursor = $session->call('session.open', ['token' => $token] + $after)['cursor'];
    $payment = $session->call('payment.start', $sale)['payment'];
    $name = ['reference' => $sale['reference']];
    while ($payment['state'] !== 'FINAL') {
        $payment = $session->call('payment.wait', $name + ['until' => 'final', 'timeoutMs' => 20_000])['payment'];
    }
    return [$payment, $session->call('payment.receipt', $name + ['copy' => 'customer', 'format' => 'text'])['receipt']];
}

if ($argc < 3) {
    echo "php examples/sale.php URL TOKEN [AMOUNT [REFERENCE]]\n";
    exit(2);
}
[, $url, $token, $amount, $reference] = $argv + [3 => '12.34', 4 => 'php-' . hrtime(true)];
echo "Reference: $reference\n"; // A real till writes it down before it sends it.
$sale = ['reference' => $reference, 'type' => 'SALE', 'terminal' => 'till-1', 'currency' => 'EUR', 'amount' => $amount];
while (true) {
    try {
        [$payment, $receipt] = sell($url, $token, $sale + ['queue' => true]);
        break;
    } catch (Refused $refused) {
        echo 'Refused: ', $refused->getMessage(), "\n";
        if ($refused->getCode() === 0) exit(2);
    } catch (Lost $lost) {
        echo 'No connection, trying again: ', $lost->getMessage(), "\n";
    }
    sleep(1);
}
echo $receipt, "\n", ucfirst(strtolower($payment['outcome'])), ': ', $payment['reason']['message'] ?? 'hand over the goods.', "\n";
exit($payment['decision'] === 'approved' ? 0 : 1);
