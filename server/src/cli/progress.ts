import { Presets, SingleBar } from "cli-progress";
import type { Terminal } from "./command.ts";

export interface Progress {
  update(done: number): void;
  /** Ends the display. Idempotent. */
  stop(): void;
}

/** The number of progress lines if the output isn't a terminal. */
const STEPS = 10;

/** Receives the current phase, its total and how much is done. */
export type OnProgress = (what: string, total: number, done: number) => void;

/** Shows one progress bar per phase. */
export function showPhases(terminal: Terminal): { update: OnProgress; stop(): void } {
  let current: { what: string; progress: Progress } | undefined;
  return {
    update(what, total, done) {
      if (current?.what !== what) {
        current?.progress.stop();
        current = { what, progress: startProgress(terminal, what, total) };
      }
      current.progress.update(done);
    },
    stop: () => current?.progress.stop(),
  };
}

/** Counts up what is done in one phase. */
export function counting(what: string, total: number, onProgress: OnProgress): (more: number) => void {
  let done = 0;
  return (more) => {
    done += more;
    onProgress(what, total, done);
  };
}

export function startProgress(terminal: Terminal, what: string, total: number): Progress {
  return terminal.interactive ? bar(what, total) : lines(terminal, what, total);
}

/** Appears with the first update, so that a command that fails immediately leaves no empty bar behind. */
function bar(what: string, total: number): Progress {
  const format = `{bar} {percentage}% | {value}/{total} ${what} | {duration_formatted}, {eta_formatted} left`;
  const bar = new SingleBar({ format, hideCursor: true, stream: process.stderr }, Presets.shades_classic);
  return {
    update(done) {
      if (!bar.isActive) bar.start(total, 0);
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}

function lines(terminal: Terminal, what: string, total: number): Progress {
  const began = performance.now();
  let printed = 0;
  return {
    update(done) {
      const step = Math.floor((STEPS * done) / total);
      if (step === printed) return;
      printed = step;
      const seconds = Math.round((performance.now() - began) / 1000);
      terminal.error(`${done} of ${total} ${what} after ${seconds} s`);
    },
    stop() {},
  };
}
