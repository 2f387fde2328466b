import { receiptChecks } from "@tandem/client/check-receipt";
import { useText } from "../../i18n/use-text.tsx";
import { AboutAside } from "../../ui/about-aside.tsx";
import { AsideNotes } from "../../ui/aside-notes.tsx";

/** What is checked, and the other pages about the service. */
export default function ChecksAside() {
  const { t } = useText();
  return (
    <AboutAside>
      <AsideNotes
        title={t("verify.checks")}
        notes={receiptChecks.map((check) => t(`verify.check.${check}`))}
      />
    </AboutAside>
  );
}
