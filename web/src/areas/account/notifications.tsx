import type { NotificationSource, NotificationType } from "@tandem/contract/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { notificationPreferencesQuery } from "../../data/account.ts";
import { alwaysTold, notificationSources, optionalTypes } from "../../data/choices.plain.ts";
import { useMe } from "../../data/me.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Lines, Panel } from "./panel.tsx";
import { PushPanel } from "./push.tsx";

type Chosen = Record<NotificationSource, (typeof optionalTypes)[number][]>;

/** Which notices one wants, of people and of agents apart. */
export function NotificationsSection() {
  const { t } = useText();
  const me = useMe();
  const { data: chosen } = useQuery(notificationPreferencesQuery(useApi()));
  return (
    <>
      {me?.role !== "agent" && <PushPanel />}
      <Panel title={t("account.toldOf")} says={t("account.toldOfSays")}>
        {chosen ? <Types chosen={chosen} /> : <Lines count={8} />}
        <p className="text-sm text-soft">
          {t("account.always")} {alwaysTold.map((type) => t(`account.type.${type}`)).join(" · ")}
        </p>
      </Panel>
    </>
  );
}

/** Each choice counts at once, and is taken back if the service refuses. */
function useChoose() {
  const queryClient = useQueryClient();
  const key = notificationPreferencesQuery(useApi()).queryKey;
  return useAction((api, chosen: Chosen) => api.chooseNotifications(chosen), {
    optimistic: (chosen) => {
      const before = queryClient.getQueryData<Chosen>(key);
      queryClient.setQueryData(key, chosen);
      return () => queryClient.setQueryData(key, before);
    },
  });
}

function Types({ chosen }: { chosen: Chosen }) {
  const { t } = useText();
  const choose = useChoose();
  const toggle = (source: NotificationSource, type: (typeof optionalTypes)[number], on: boolean) => {
    const others = chosen[source].filter((one) => one !== type);
    choose.mutate({ ...chosen, [source]: on ? [...others, type] : others });
  };
  return (
    <table className="w-full border-collapse">
      <thead>
        <tr className="text-sm text-soft">
          <th scope="col" className="sr-only">
            {t("account.type")}
          </th>
          {notificationSources.map((source) => (
            <th
              key={source}
              scope="col"
              className="w-16 px-1 pb-2 text-center text-xs font-semibold sm:w-20 sm:text-sm"
            >
              {t(`account.by.${source}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {optionalTypes.map((type) => (
          <tr key={type} className="border-t">
            <th scope="row" className="py-2 pe-2 text-start font-medium wrap-anywhere hyphens-auto">
              {t(`account.type.${type}`)}
            </th>
            {notificationSources.map((source) => (
              <td key={source} className="text-center">
                <label className="inline-grid size-10 cursor-pointer place-items-center rounded-full hover:bg-sunken">
                  <input
                    type="checkbox"
                    className="size-5"
                    checked={chosen[source].includes(type)}
                    aria-label={t("account.typeBy", { type: nameOf(t, type), by: t(`account.by.${source}`) })}
                    onChange={({ currentTarget }) => toggle(source, type, currentTarget.checked)}
                  />
                </label>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const nameOf = (t: ReturnType<typeof useText>["t"], type: NotificationType) => t(`account.type.${type}`);
