import { useText } from "../i18n/use-text.tsx";
import { Link } from "../ui/link.tsx";

/** The word "edited" after a time, linked to the page that shows what changed. */
export function EditedLink({ to }: { to: string }) {
  const { t } = useText();
  return (
    <>
      {" · "}
      <Link
        to={to}
        title={t("card.editedHint")}
        className="underline decoration-soft/40 decoration-dotted underline-offset-2 hover:decoration-soft hover:decoration-solid"
      >
        {t("card.edited")}
      </Link>
    </>
  );
}
