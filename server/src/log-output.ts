import { fstatSync } from "node:fs";
import { destination } from "pino";

/** Lines are written together, at most after these milliseconds. */
const FLUSH = { periodicFlush: 200 };
/** What a pipe takes in one piece, so lines of several processes don't mix. A file takes any length in one piece. */
const PIPE = { minLength: 3500, maxWrite: 4096 };
const FILE = { minLength: 2 ** 15, maxWrite: 2 ** 16 };

type Output = ReturnType<typeof destination>;

let output: Output | undefined;

/**
 * Standard output, for log lines. Lines are written together, because under load writing each costs as much as a query; and
 * asynchronously, so that a reader that stalls doesn't stop the service. The last are written when the process exits.
 */
export function logOutput(): Output {
  if (output) return output;
  const sizes = fstatSync(1).isFile() ? FILE : PIPE;
  output = joinLines(destination({ dest: 1, sync: false, ...FLUSH, ...sizes }), sizes);
  return output;
}

/**
 * Joins lines before the output gets them. For each line that it gets, it counts the bytes of all that wait in it again, which costs
 * more than making the line.
 */
function joinLines(to: Output, { minLength, maxWrite }: typeof PIPE): Output {
  const [write, flush] = [to.write.bind(to), to.flush.bind(to)];
  const [flushSync, end] = [to.flushSync.bind(to), to.end.bind(to)];
  let lines: string[] = [];
  let bytes = 0;
  const handOver = () => {
    if (lines.length > 0) write(lines.join(""));
    lines = [];
    bytes = 0;
  };
  return Object.assign(to, {
    write(line: string) {
      const more = Buffer.byteLength(line);
      if (bytes + more > maxWrite) handOver();
      lines.push(line);
      bytes += more;
      if (bytes >= minLength) handOver();
      return true;
    },
    flush(done?: (error?: Error) => void) {
      handOver();
      flush(done);
    },
    flushSync() {
      // First what waits already. Otherwise the write could begin to send it in a thread, which the process doesn't wait for when it exits.
      flushSync();
      handOver();
      flushSync();
    },
    end() {
      handOver();
      end();
    },
  });
}
