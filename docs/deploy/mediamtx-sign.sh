#!/bin/sh
# Tells Tandem of a stream of MediaMTX's, which says in MTX_… whose it is: `runs`, every ten seconds until it is stopped
# or the stream is refused, and `ends`. What a sender has put into MTX_QUERY must never become part of a command: so this
# is a file, and no line in MediaMTX's configuration.
# /etc/tandem-live, for nobody's eyes but MediaMTX's, holds: url = "http://127.0.0.1:3000/hooks/live?secret=SECRET"
hook=${TANDEM_LIVE:-/etc/tandem-live}
api=${MEDIAMTX_API:-http://127.0.0.1:9997}

# Prints the status of the answer; 000 if none came.
say() {
  curl -s -o /dev/null -w '%{http_code}' --max-time 5 -K "$hook" --data-urlencode "call=$1" \
    --data-urlencode "name=${MTX_PATH##*/}" --data-urlencode "clientid=$MTX_SOURCE_ID" --data-raw "$MTX_QUERY"
}

case $1 in
ends) [ "$(say publish_done)" = 200 ] ;;
runs)
  trap 'exit 0' INT TERM
  while [ "$(say update_publish)" != 403 ]; do
    sleep "${EVERY:-10}" &
    wait $!
  done
  curl -s -o /dev/null -X POST "$api/v3/rtmpconns/kick/$MTX_SOURCE_ID"
  ;;
esac
