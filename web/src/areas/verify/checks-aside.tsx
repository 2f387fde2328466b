import { receiptChecks } from "@tandem/client/check-receipt";
import { useText } from "../../i18n/use-text.tsx";
import { AboutAside } from "../../ui/about-aside.tsx";
import { AsideNotes } from "../../ui/aside-notes.tsx";

/** What is checked, unless the result says it, and the other pages about the service. */
export default function ChecksAside({ isResultShown }: { isResultShown: boolean }) {
  const { t } = useText();
  return (
    <AboutAside>
      {!isResultShown && (
        <AsideNotes
          title={t("verify.checks")}
          notes={receiptChecks.map((check) => t(`verify.check.${check}`))}
        />
      )}
    </AboutAside>
  );
}
