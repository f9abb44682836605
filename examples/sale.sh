#!/usr/bin/env bash
# One sale over the register API, to its end, also where the connection is lost on the way.
#
#   bash examples/sale.sh URL TOKEN [AMOUNT [REFERENCE]]
#
# Needs bash and jq. Ends with 0 when the sale is approved, 1 when it is not, 2 when the bridge refuses it.
# curl speaks WebSocket only in some builds, and Debian's does not: bash opens the socket itself, and the frames are below.
set -uo pipefail
export LC_ALL=C # ${#text} counts bytes

(($# >= 2)) || { echo 'bash examples/sale.sh URL TOKEN [AMOUNT [REFERENCE]]'; exit 2; }
url=$1 token=$2 amount=${3:-12.34} reference=${4:-bash-$(date +%s%N)}
[[ $url =~ ^ws://([^:/]+):([0-9]+)(/.*)$ ]] || { echo "no address like ws://127.0.0.1:7717/v1: $url"; exit 2; }
host=${BASH_REMATCH[1]} port=${BASH_REMATCH[2]} path=${BASH_REMATCH[3]}
readonly LOST=10 LATER=11 REFUSED=12
cursor='' result='' payment=''
trap '' PIPE # a lost connection ends a call, and not this program

connect() {
  local line
  { exec 3<>"/dev/tcp/$host/$port"; } 2>/dev/null || return $LOST
  printf '%s\r\n' "GET $path HTTP/1.1" "Host: $host:$port" 'Upgrade: websocket' 'Connection: Upgrade' \
    'Sec-WebSocket-Version: 13' "Sec-WebSocket-Key: $(head -c 16 /dev/urandom | base64)" '' >&3
  read -r -t 10 line <&3 && [[ $line == 'HTTP/1.1 101 '* ]] || return $LOST
  while read -r -t 10 line <&3 && [[ $line != $'\r' ]]; do :; done
}

# Frames of a client carry a mask. Zeros leave the text as it is, which will do outside a browser.
send() { # OPCODE TEXT
  local length=${#2} head
  if ((length < 126)); then printf -v head '\\x%x\\x%x' $((0x80 | $1)) $((0x80 | length)); else
    printf -v head '\\x%x\\xfe\\x%x\\x%x' $((0x80 | $1)) $((length >> 8)) $((length & 255)); fi
  printf "$head"'\0\0\0\0%s' "$2" >&3 2>/dev/null || return $LOST
}

# payment.wait is answered within 20 s: a bridge that is silent for longer is lost.
bytes() { timeout 60 head -c "$1" <&3; }
numbers() { bytes "$1" | od -An -tu1; }

receive() { # puts the next text of the bridge into $text
  local opcode length high low
  while read -r opcode length < <(numbers 2) && [ -n "$length" ]; do
    ((length == 126)) && read -r high low < <(numbers 2) && length=$((high << 8 | low))
    text=$(bytes "$length") && ((${#text} == length)) || return $LOST
    case $((opcode & 15)) in
      1) return 0 ;;
      8) return $LOST ;;
      9) send 10 "$text" || return ;; # a ping wants its pong
    esac
  done
  return $LOST
}

call() { # METHOD PARAMETERS, puts the reply into $result
  local kind error advice
  send 1 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$1\",\"params\":$2}" || return
  while receive; do
    kind=$(jq -r 'if .error then "error" elif .id then "result" else .method end' <<<"$text")
    case $kind in
      result) result=$(jq -c .result <<<"$text") && return 0 ;;
      error)
        jq -r '"Refused: " + .error.data.message' <<<"$text"
        [ "$(jq -r .error.data.advice <<<"$text")" = retry ] && return $LATER || return $REFUSED
        ;;
      payment.changed)
        cursor=$(jq -r .params.cursor <<<"$text")
        # As long as nobody knows whether money moved, the sale is unknown and not failed.
        jq -r '.params.payment | if .state | IN("RESOLVING", "REVERSING")
          then "Unknown yet: " + (.reason.message // "please wait") else .prompt.text // empty end' <<<"$text"
        ;;
    esac
  done
  return $LOST
}

# Sells over one connection. The same start over the next one finds this sale and never begins another.
sell() {
  connect || return
  call session.open "$(jq -cn '{token: $ARGS.positional[0]} + if $ARGS.positional[1] == "" then {}
    else {after: $ARGS.positional[1]} end' --args "$token" "$cursor")" || return
  cursor=$(jq -r .cursor <<<"$result")
  call payment.start "$sale" || return
  while payment=$(jq -c .payment <<<"$result") && [ "$(jq -r .state <<<"$payment")" != FINAL ]; do
    call payment.wait "$(jq -c '{reference, until: "final", timeoutMs: 20000}' <<<"$sale")" || return
  done
  call payment.receipt "$(jq -c '{reference, copy: "customer", format: "text"}' <<<"$sale")"
}

echo "Reference: $reference" # A real till writes it down before it sends it.
sale=$(jq -cn --arg a "$amount" --arg r "$reference" \
  '{reference: $r, type: "SALE", terminal: "till-1", currency: "EUR", amount: $a, queue: true}')
until sell; do
  case $? in
    "$REFUSED") exit 2 ;;
    "$LOST") echo 'No connection, trying again' ;;
  esac
  sleep 1
done
jq -r .receipt <<<"$result"
jq -r '(.outcome[:1] + (.outcome[1:] | ascii_downcase)) + ": " + (.reason.message // "hand over the goods.")' <<<"$payment"
[ "$(jq -r .decision <<<"$payment")" = approved ]
