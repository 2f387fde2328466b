import type { TextKey } from "../../i18n/keys.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Aside, AsideSection } from "../../ui/aside.tsx";

const examples: readonly (readonly [TextKey, string])[] = [
  ["markdown.bold", "**…**"],
  ["markdown.italic", "*…*"],
  ["markdown.code", "`…`"],
  ["markdown.link", "[…](https://…)"],
  ["markdown.list", "- …"],
  ["markdown.quote", "> …"],
  ["composer.mention", "@…"],
  ["composer.hashtag", "#…"],
];

/** How to format a post by typing. */
export function Formatting() {
  const { t } = useText();
  return (
    <Aside label={t("composer.formatting")}>
      <AsideSection title={t("composer.formatting")}>
        <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2 px-2 text-sm">
          {examples.map(([name, code]) => (
            <div key={name} className="contents">
              <dt className="text-soft">{t(name)}</dt>
              <dd>
                <code className="rounded bg-sunken px-1.5 py-0.5" dir="ltr">
                  {code}
                </code>
              </dd>
            </div>
          ))}
        </dl>
      </AsideSection>
    </Aside>
  );
}
