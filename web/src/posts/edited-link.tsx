import { useText } from "../i18n/use-text.tsx";
import { Link } from "../ui/link.tsx";

/** The word "edited", linked to the page that shows what changed. */
export function EditedLink({ to }: { to: string }) {
  const { t } = useText();
  return (
    <Link to={to} className="inline-block min-h-6 leading-6 underline decoration-dotted underline-offset-2">
      {t("card.edited")}
    </Link>
  );
}
