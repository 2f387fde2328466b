import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { authorizationRequestQuery } from "../../data/apps.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useParams } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { ConsentForm } from "./consent-form.tsx";

/** Asks whether an app may act for the reader. */
export function ConsentView() {
  const { t } = useText();
  const { request: id = "" } = useParams();
  const { data: request } = useQuery(authorizationRequestQuery(useApi(), id));
  useReloadAfterBack();
  // The ids of requests are longer than the codes of devices.
  const isCode = id.length < 20;
  if (!request)
    return (
      <EmptyState
        drawing="lost"
        isPage
        title={t("apps.gone")}
        action={isCode && <ButtonLink to="/device">{t("apps.deviceTitle")}</ButtonLink>}
      >
        {t("apps.goneDescription")}
      </EmptyState>
    );
  return <ConsentForm id={id} request={request} />;
}

/** After Back, browsers show the page from their cache, as it was before the request was answered. */
function useReloadAfterBack(): void {
  useEffect(() => {
    const [navigation] = performance.getEntriesByType("navigation");
    if (navigation instanceof PerformanceNavigationTiming && navigation.type === "back_forward")
      window.location.reload();
  }, []);
}
