import { Logo } from "../frame/logo.tsx";
import type { TextKey } from "../i18n/keys.ts";

/** Shown instead of any page while the service is overloaded. The browser loads the page again by itself. */
export function BusyPage({ text }: { text: (key: TextKey) => string }) {
  return (
    <main className="mx-auto flex max-w-md flex-col items-center gap-4 px-6 py-20 text-center">
      <Logo className="h-11" />
      <h1 className="text-2xl font-bold">{text("public.busy")}</h1>
      <p className="text-soft">{text("public.busyDescription")}</p>
    </main>
  );
}
