import { TandemError } from "@tandem/client";
import { type ReactNode, useState } from "react";
import { lazyComponent } from "./lazy-component.tsx";

const StepUpDialog = lazyComponent(() => import("./step-up-dialog.tsx"));

interface Question {
  resolve(isProven: boolean): void;
}

/**
 * For actions that need a recent proof of who the reader is. `run` performs one; if the proof is too old, it asks for the
 * password or a passkey, then performs it again. The component must render `dialog`.
 */
export function useStepUp(): { run<R>(action: () => Promise<R>): Promise<R>; dialog: ReactNode } {
  const [question, setQuestion] = useState<Question | null>(null);
  const ask = () => new Promise<boolean>((resolve) => setQuestion({ resolve }));
  const answer = (isProven: boolean) => {
    setQuestion(null);
    question?.resolve(isProven);
  };
  return {
    async run(action) {
      try {
        return await action();
      } catch (error) {
        if (!(error instanceof TandemError) || error.code !== "reauthentication_required") throw error;
        if (!(await ask())) throw error;
        return action();
      }
    },
    dialog: question && <StepUpDialog onDone={() => answer(true)} onClose={() => answer(false)} />,
  };
}
