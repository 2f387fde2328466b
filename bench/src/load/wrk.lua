-- Sends the requests of a file in order, from a position on: wrk … -- FILE POSITION. They are separated by zero bytes.

local requests, at = {}, 0

function init(args)
  local file = assert(io.open(args[1], "rb"))
  for request in (file:read("*a") .. "\0"):gmatch("(%Z*)%z") do
    requests[#requests + 1] = request
  end
  file:close()
  at = tonumber(args[2])
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format(
    '\n{"count": %d, "rate": %f, "p50": %f, "p99": %f, "failed": %d}\n',
    summary.requests, summary.requests * 1e6 / summary.duration,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, failed))
end
