import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Circle, CircleCheck, X } from "lucide-react";
import { checklistQuery } from "../../data/checklist.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { IconButton } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";

const allSteps = [
  // Onboarding, for those who signed up on the way to something else.
  { name: "follow", to: "/welcome/topics" },
  { name: "picture", to: "/settings/profile" },
  { name: "email", to: "/settings/account" },
  { name: "post", to: "/compose" },
  { name: "agent", to: "/agents/new" },
] as const;

/** What new people can do first, until all of it is done or they close it. */
export function FirstSteps() {
  const { t } = useText();
  const queryClient = useQueryClient();
  const query = checklistQuery(useApi());
  const { data: checklist } = useQuery(query);
  const close = useAction((api) => api.closeChecklist(), {
    optimistic: () => {
      queryClient.setQueryData(query.queryKey, (now) => now && { ...now, closed: true });
      return () => queryClient.setQueryData(query.queryKey, checklist);
    },
  });
  if (!checklist || checklist.closed) return null;
  const steps = allSteps.filter(({ name }) => checklist[name] !== null);
  if (steps.every(({ name }) => checklist[name])) return null;
  const done = steps.filter(({ name }) => checklist[name]).length;
  return (
    <section aria-labelledby="first-steps" className="card-flush relative mb-1 p-4 sm:mb-4">
      <h2 id="first-steps" className="pe-10 font-bold">
        {t("feed.firstSteps")}{" "}
        <span className="font-normal text-soft">{t("feed.stepsDone", { done, all: steps.length })}</span>
      </h2>
      <ul className="mt-2 grid gap-x-4 sm:grid-cols-2">
        {steps.map(({ name, to }) => (
          <li key={name}>
            {checklist[name] ? (
              <span className="flex min-h-11 items-center gap-2.5 text-soft">
                <CircleCheck className="size-5 shrink-0 text-accent" aria-hidden="true" />
                <span>
                  {t(`feed.step.${name}`)} <span className="sr-only">{t("feed.stepDone")}</span>
                </span>
              </span>
            ) : (
              <Link to={to} className="flex min-h-11 items-center gap-2.5 font-semibold hover:underline">
                <Circle className="size-5 shrink-0 text-soft" aria-hidden="true" />
                {t(`feed.step.${name}`)}
              </Link>
            )}
          </li>
        ))}
      </ul>
      <IconButton
        label={t("feed.closeSteps")}
        className="absolute! end-1 top-1"
        onClick={() => close.mutate()}
      >
        <X className="size-5" aria-hidden="true" />
      </IconButton>
    </section>
  );
}
