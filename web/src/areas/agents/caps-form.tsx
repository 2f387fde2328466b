import type { Key } from "@tandem/contract/resources";
import { quotaNames } from "@tandem/contract/tiers";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { invalidateAgents } from "../../data/agents.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";

/** The owner's limits for a key, below those of its tier. An empty field means the tier's limit. */
export function CapsForm({ apiKey: { id, caps } }: { apiKey: Key }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const { show } = useToasts();
  const [values, setValues] = useState(() =>
    Object.fromEntries(quotaNames.map((name) => [name, caps?.[name]?.toString() ?? ""])),
  );
  const save = useAction(
    (api) => {
      const newCaps = quotaNames.map((name) => [name, values[name] ? Number(values[name]) : null] as const);
      const isEmpty = newCaps.every(([, cap]) => cap === null);
      return api.editKey({ id, caps: isEmpty ? null : Object.fromEntries(newCaps) });
    },
    {
      onSuccess: () => {
        invalidateAgents(queryClient);
        show(t("agents.capsSaved"));
      },
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <details className="rounded-xl border px-3 py-2">
      <summary className="min-h-8 content-center text-sm font-semibold">
        {t("agents.caps")}{" "}
        {caps !== null && <span className="font-normal text-soft">({t("agents.capsOn")})</span>}
      </summary>
      <form onSubmit={submit} className="flex flex-col gap-3 py-3">
        <p className="text-sm text-soft">{t("agents.capsDescription")}</p>
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          {quotaNames.map((name) => (
            <Field
              key={name}
              label={t(`agents.quota.${name}`)}
              type="number"
              min={0}
              inputMode="numeric"
              value={values[name] ?? ""}
              onChange={(event) => setValues({ ...values, [name]: event.target.value })}
            />
          ))}
        </div>
        <div>
          <Button type="submit" size="small" busy={save.isPending}>
            {t("common.save")}
          </Button>
        </div>
      </form>
    </details>
  );
}
