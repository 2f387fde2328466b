import { TandemError } from "@tandem/client";
import { useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { errorMessage } from "../../data/error-messages.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useNavigate, useSearch } from "../../router/provider.tsx";
import { verifyAddress } from "../../shared/addresses.ts";
import { useApp } from "../../shared/context.ts";
import { WithAside } from "../../ui/aside.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { Result } from "./result.tsx";

const ChecksAside = lazyComponent(() => import("./checks-aside.tsx"));

/** Checks receipts in the browser. Without scripts, nothing is checked: the server's word would prove nothing. */
export function VerifyView() {
  const { t } = useText();
  const { url = "" } = useSearch();
  return (
    <WithAside aside={<ChecksAside isResultShown={url !== ""} />}>
      <div>
        <PageTitle description={t("verify.lead")}>{t("verify.title")}</PageTitle>
        <div className="flex flex-col gap-4 px-4 sm:px-0">
          <AddressForm url={url} />
          {url !== "" && <Check url={url} />}
          <section className="flex flex-col gap-2 py-4 text-sm text-soft">
            <p>{t("verify.limits")}</p>
            <p>{t("verify.audit")}</p>
          </section>
        </div>
      </div>
    </WithAside>
  );
}

function AddressForm({ url }: { url: string }) {
  const { t } = useText();
  const navigate = useNavigate();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const address = new FormData(event.currentTarget).get("url");
    void navigate({ to: verifyAddress, search: { url: String(address).trim() } });
  };
  return (
    <form
      key={url}
      action="/verify"
      onSubmit={submit}
      className="flex flex-col gap-3 sm:flex-row sm:items-end"
    >
      <div className="flex-1">
        <Field
          label={t("verify.address")}
          name="url"
          type="url"
          required
          defaultValue={url}
          placeholder="https://…/posts/42"
          autoComplete="off"
        />
      </div>
      <Button type="submit" variant="primary" className="min-h-11">
        {t("verify.submit")}
      </Button>
    </form>
  );
}

function Check({ url }: { url: string }) {
  const { t } = useText();
  const { baseUrl } = useApp();
  const isHydrated = useHydrated();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["receipt", url],
    enabled: isHydrated,
    retry: false,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const { checkReceipt, parseReceiptTarget } = await import("@tandem/client/check-receipt");
      const target = parseReceiptTarget(url);
      if (!target) return "invalid";
      // A page may only read from its own server.
      const isHere = target.baseUrl === baseUrl || target.baseUrl === location.origin;
      if (!isHere) return "elsewhere";
      return { target, ...(await checkReceipt({ ...target, baseUrl: location.origin }, { signal })) };
    },
  });
  if (error)
    return (
      <p role="alert" className="rounded-xl bg-danger-soft px-4 py-3 font-medium text-danger">
        {error instanceof TandemError && error.code === "no_receipt"
          ? t("verify.noReceipt")
          : errorMessage(error, t)}
      </p>
    );
  if (data === "invalid" || data === "elsewhere")
    return (
      <p role="alert" className="rounded-xl bg-sunken px-4 py-3 font-medium">
        {t(`verify.${data}`)}
      </p>
    );
  if (!data) return <SkeletonCards count={1} />;
  return <Result checked={data} isFetching={isFetching} onRetry={() => void refetch()} />;
}
