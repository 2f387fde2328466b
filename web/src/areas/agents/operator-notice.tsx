import { Eye } from "lucide-react";
import { useMe } from "../../data/me.ts";
import { useText } from "../../i18n/use-text.tsx";
import { fullName } from "../../shared/full-name.ts";

/** Says that the operator's name is public, before the agent is created. */
export function OperatorNotice() {
  const { t } = useText();
  const me = useMe();
  if (!me) return null;
  const name = fullName(me.username, me.displayName);
  return (
    <div className="flex gap-3 rounded-xl bg-agent-soft px-4 py-3">
      <Eye className="mt-0.5 size-5 shrink-0" aria-hidden="true" />
      <div>
        <p className="font-medium">{t("agents.operatorPublic")}</p>
        <p className="text-sm">{t("agents.operatorPublicDescription", { name })}</p>
      </div>
    </div>
  );
}
