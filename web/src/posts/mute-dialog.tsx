import type { Platform } from "@tandem/contract/origins";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { applyMute, muteTerms, muteUntil } from "../data/mutes.ts";
import { useToasts } from "../data/toasts.ts";
import { useAction } from "../data/use-action.ts";
import { useText } from "../i18n/use-text.tsx";
import { fullNameOf } from "../shared/full-name.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Select } from "../ui/field.tsx";

/** Mutes an author, permanently or for a time. */
export function MuteDialog({
  platform,
  author,
  displayName,
  onMuted,
  onClose,
}: {
  platform: Platform;
  author: string;
  displayName: string | null | undefined;
  onMuted?(): void;
  onClose(): void;
}) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const [days, setDays] = useState(0);
  const target = { platform, author };
  const mute = useAction((api) => api.mute({ ...target, ...muteUntil(days) }), {
    onSuccess: () => {
      onClose();
      onMuted?.();
      show(t("card.muted", { name: fullNameOf({ ...target, displayName }) }));
      return applyMute(queryClient, target, true);
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("card.muteTitle", { name: fullNameOf({ ...target, displayName }) })}
      description={t(platform === "native" ? "card.muteDescription" : "card.muteImportedDescription")}
    >
      <Select
        label={t("card.decision.term")}
        value={days}
        onChange={({ target }) => setDays(Number(target.value))}
        className="mb-4"
      >
        {muteTerms.map((term) => (
          <option key={term} value={term}>
            {term === 0 ? t("card.muteForever") : t("card.decision.days", { days: term })}
          </option>
        ))}
      </Select>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t("common.cancel")}</Button>
        <Button variant="primary" onClick={() => mute.mutate()} busy={mute.isPending}>
          {t("card.muteAction")}
        </Button>
      </div>
    </Dialog>
  );
}
