import type { ReactNode } from "react";
import { useMe } from "../data/me.ts";
import { useNotificationStream } from "../data/unread.ts";
import { useText } from "../i18n/use-text.tsx";
import { useIsLoading } from "../router/provider.tsx";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { BottomNav, SideNav, TopBar } from "./navigation.tsx";
import { useDimmed } from "./use-dimmed.ts";

const ImpersonationBanner = lazyComponent(async () => ({
  default: (await import("./impersonation-banner.tsx")).ImpersonationBanner,
}));

/** The layout around every page. */
export function Frame({ children }: { children: ReactNode }) {
  const { t } = useText();
  useNotificationStream();
  return (
    <>
      <a
        href="#main"
        className="sr-only z-60 rounded-full bg-accent px-4 py-2 font-semibold text-on-accent focus:not-sr-only focus:fixed focus:start-2 focus:top-2"
      >
        {t("frame.skip")}
      </a>
      <LoadingBar />
      {useMe()?.role === "agent" && <ImpersonationBanner fallback={<div className="h-26 sm:h-16" />} />}
      <TopBar />
      <div className="mx-auto flex max-w-[76rem] sm:px-4 rail:gap-6">
        <SideNav />
        <Main>{children}</Main>
      </div>
      <BottomNav />
    </>
  );
}

function Main({ children }: { children: ReactNode }) {
  const isLoading = useIsLoading();
  useDimmed(isLoading);
  return (
    <main
      id="main"
      tabIndex={-1}
      aria-busy={isLoading || undefined}
      className="min-w-0 flex-1 pb-24 outline-none rail:pb-12"
    >
      {children}
    </main>
  );
}

/** A thin bar while the next page loads; it appears after 150 ms. */
function LoadingBar() {
  const { t } = useText();
  const loading = useIsLoading();
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-0 z-60 h-0.5">
      {loading && (
        <div className="h-full origin-left animate-[progress_8s_cubic-bezier(0.1,0.8,0.2,1)_0.15s_both] bg-accent rtl:origin-right">
          <span className="sr-only">{t("common.loading")}</span>
        </div>
      )}
    </div>
  );
}
