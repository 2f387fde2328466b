import { useChoice } from "../../data/choices.ts";
import { useAiPosts } from "../../data/preferences.ts";
import { useText } from "../../i18n/use-text.tsx";
import { ShortcutList, ShortcutsToggle } from "../../posts/shortcuts-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { AiPreferenceSwitch } from "./ai-preference-switch.tsx";

/** The feed's settings. They apply immediately. */
export default function ViewOptions({ onClose }: { onClose(): void }) {
  const { t } = useText();
  const [ai] = useAiPosts();
  const [motion, setChoice] = useChoice("motion");
  return (
    <Dialog open onClose={onClose} title={t("feed.options")}>
      <div className="flex flex-col gap-6">
        <section>
          <h3 className="mb-2 font-semibold">{t("feed.ai")}</h3>
          <AiPreferenceSwitch fullWidth />
          <p className="mt-2 text-sm text-soft" aria-live="polite">
            {t(`feed.ai.${ai}.long`)}
          </p>
        </section>
        <Checkbox
          label={t("feed.autoplay")}
          hint={t("feed.autoplayHint")}
          checked={motion === "play"}
          onChange={(event) => setChoice(event.target.checked ? "play" : "still")}
        />
        <section className="hidden border-t pt-5 sm:block">
          <h3 className="mb-3 font-semibold">{t("card.keys")}</h3>
          <ShortcutList />
          <ShortcutsToggle />
        </section>
      </div>
    </Dialog>
  );
}
