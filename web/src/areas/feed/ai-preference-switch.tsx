import { useId } from "react";
import { useAiPosts } from "../../data/preferences.ts";
import { useText } from "../../i18n/use-text.tsx";

const preferences = ["show", "dim", "hide"] as const;

/** Selects how AI posts appear: like others, collapsed, or not at all. */
export function AiPreferenceSwitch({ fullWidth = false }: { fullWidth?: boolean }) {
  const { t } = useText();
  const name = useId();
  const [preference, setPreference] = useAiPosts();
  return (
    <fieldset className={`flex items-center gap-2 ${fullWidth ? "w-full" : ""}`}>
      <legend className="sr-only">{t("feed.ai")}</legend>
      {!fullWidth && (
        <span
          aria-hidden="true"
          title={t("feed.ai")}
          className="flex items-center gap-1 text-sm font-semibold text-agent"
        >
          <span className="size-2.5 rounded-[28%] bg-agent" />
          {t("feed.aiShort")}
        </span>
      )}
      <div className={`flex rounded-full bg-sunken p-0.5 ${fullWidth ? "w-full" : ""}`}>
        {preferences.map((option) => (
          <label
            key={option}
            title={t(`feed.ai.${option}.long`)}
            className={`relative inline-flex min-h-9 cursor-pointer items-center justify-center rounded-full px-3 text-sm font-medium text-soft transition select-none hover:text-ink has-checked:bg-raised has-checked:font-semibold has-checked:text-ink has-checked:shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-accent ${fullWidth ? "min-h-11 flex-1" : ""}`}
          >
            <input
              type="radio"
              name={name}
              value={option}
              checked={preference === option}
              onChange={() => setPreference(option)}
              className="absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
            />
            {t(`feed.ai.${option}`)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
