#!/bin/sh
# Reports a MediaMTX stream to Tandem; MediaMTX describes the stream in MTX_… variables. `runs` reports every ten seconds until
# it is stopped or the stream is refused; `ends` reports the end. MTX_QUERY comes from the sender and must never become part
# of a command, so this is a script rather than a line in MediaMTX's configuration.
# /etc/tandem-live, readable only by MediaMTX, contains: url = "http://127.0.0.1:3000/hooks/live?secret=SECRET"
hook=${TANDEM_LIVE:-/etc/tandem-live}
api=${MEDIAMTX_API:-http://127.0.0.1:9997}

# Sends a hook and prints the answer's status; 000 if there was none.
report() {
  curl -s -o /dev/null -w '%{http_code}' --max-time 5 -K "$hook" --data-urlencode "call=$1" \
    --data-urlencode "name=${MTX_PATH##*/}" --data-urlencode "clientid=$MTX_SOURCE_ID" --data-raw "$MTX_QUERY"
}

case $1 in
ends) [ "$(report publish_done)" = 200 ] ;;
runs)
  trap 'exit 0' INT TERM
  while [ "$(report update_publish)" != 403 ]; do
    sleep "${EVERY:-10}" &
    wait $!
  done
  curl -s -o /dev/null -X POST "$api/v3/rtmpconns/kick/$MTX_SOURCE_ID"
  ;;
esac
