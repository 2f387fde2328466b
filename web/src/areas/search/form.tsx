import { platformNames } from "@tandem/contract/origins";
import { SlidersHorizontal } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { FeedFilters } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useNavigate } from "../../router/provider.tsx";
import { Button } from "../../ui/button.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { QueryField } from "./query-field.tsx";

/** The provenance filters, as the API names them. */
const provenanceFilters = ["human", "human,ai_assisted", "ai_assisted", "ai_generated"] as const;

/**
 * The search form. Its values live in the URL: filters apply immediately, the query on submit. It works
 * before hydration too, as a plain GET form.
 */
export function SearchForm({ filters }: { filters: FeedFilters }) {
  const { t } = useText();
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const { q = "", cursor: _cursor, ...applied } = filters;
  const [hasOpenFilters, setOpenFilters] = useState(Object.keys(applied).length > 0);
  // Focuses the query when the reader comes from another page without one.
  const [shouldFocus] = useState(useHydrated() && Object.keys(filters).length === 0);
  useEffect(() => {
    if (shouldFocus) input.current?.focus({ preventScroll: true });
  }, [shouldFocus]);
  useEffect(() => {
    if (input.current) input.current.value = q;
  }, [q]);
  const updateUrl = (replace: boolean) => {
    // Not while a date is being typed.
    if (form.current?.checkValidity())
      void navigate({ to: "/search", search: filledValues(form.current), replace });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    updateUrl(false);
  };
  return (
    <search className="wide:contents">
      <form
        ref={form}
        action="/search"
        onSubmit={submit}
        className="mb-4 flex flex-col gap-3 px-4 sm:px-0 wide:contents"
      >
        <div className="relative flex gap-2 wide:mb-4">
          <QueryField q={q} input={input} />
          <Button type="submit" variant="primary" className="min-h-12 px-5">
            {t("search.submit")}
          </Button>
        </div>
        <Button
          size="small"
          aria-expanded={hasOpenFilters}
          className="self-start sm:hidden"
          onClick={() => setOpenFilters(!hasOpenFilters)}
        >
          <SlidersHorizontal className="size-4" aria-hidden="true" />
          {t("search.filters")}
        </Button>
        <Filters filters={filters} isOpen={hasOpenFilters} onChange={() => updateUrl(true)} />
      </form>
    </search>
  );
}

/** Leaves empty fields out of the URL. */
function filledValues(form: HTMLFormElement): Record<string, string> {
  const values = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === "string" && value.trim() !== "" ? [[name, value.trim()]] : [],
  );
  return Object.fromEntries(values);
}

/** Below the query, on phones only once opened; next to the results on wide screens. */
function Filters({ filters, isOpen, onChange }: { filters: FeedFilters; isOpen: boolean; onChange(): void }) {
  const { t } = useText();
  const { provenance = "", platform = "", media = "", sort = "", since = "", until = "" } = filters;
  return (
    <div
      className={`grid grid-cols-2 gap-2 ${isOpen ? "" : "max-sm:hidden"} sm:grid-cols-3 wide:sticky wide:top-0 wide:col-start-2 wide:row-span-3 wide:row-start-1 wide:grid-cols-1 wide:gap-4 wide:self-start wide:py-6`}
    >
      <Filter name="provenance" label={t("search.provenance")} value={provenance} onChange={onChange}>
        <option value="">{t("search.anyProvenance")}</option>
        {provenanceFilters.map((value) => (
          <option key={value} value={value}>
            {t(`search.provenance.${value}`)}
          </option>
        ))}
      </Filter>
      <Filter name="platform" label={t("search.source")} value={platform} onChange={onChange}>
        <option value="">{t("search.allSources")}</option>
        {platformNames.map((name) => (
          <option key={name} value={name}>
            {t(`platform.${name}`)}
          </option>
        ))}
      </Filter>
      <Filter name="media" label={t("search.mediaType")} value={media} onChange={onChange}>
        <option value="">{t("search.allTypes")}</option>
        <option value="video">{t("search.videos")}</option>
      </Filter>
      <Filter name="sort" label={t("search.sortBy")} value={sort} onChange={onChange}>
        <option value="">{t("search.newest")}</option>
        <option value="hot">{t("search.hottest")}</option>
      </Filter>
      <DateFilter name="since" label={t("search.since")} value={since} min={EARLIEST} onChange={onChange} />
      <DateFilter
        name="until"
        label={t("search.until")}
        value={until}
        min={since || EARLIEST}
        invalidText={t("search.untilInvalid")}
        onChange={onChange}
      />
    </div>
  );
}

interface FilterProps {
  label: string;
  name: string;
  value: string;
  onChange(): void;
}

function Filter({ label, name, value, onChange, children }: FilterProps & { children: ReactNode }) {
  const field = useUrlValue<HTMLSelectElement>(value);
  return (
    <FilterLabel label={label}>
      <select ref={field} name={name} defaultValue={value} onChange={onChange} className={filterClass(value)}>
        {children}
      </select>
    </FilterLabel>
  );
}

/** So that a year isn't taken for complete while it is typed. */
const EARLIEST = "1970-01-01";

function DateFilter({
  label,
  name,
  value,
  min,
  invalidText,
  onChange,
}: FilterProps & { min: string; invalidText?: string }) {
  const field = useUrlValue<HTMLInputElement>(value);
  return (
    <FilterLabel label={label}>
      <input
        ref={field}
        type="date"
        name={name}
        min={min}
        defaultValue={value}
        onChange={onChange}
        className={`peer user-invalid:border-danger ${filterClass(value)}`}
      />
      {invalidText && (
        <span className="hidden px-1 text-xs font-medium text-danger peer-user-invalid:block">
          {invalidText}
        </span>
      )}
    </FilterLabel>
  );
}

function FilterLabel({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: The control is the child.
    <label className="flex min-w-0 flex-col gap-0.5">
      <span className="px-1 text-xs font-semibold text-soft">{label}</span>
      {children}
    </label>
  );
}

const filterClass = (value: string) =>
  `min-h-10 w-full min-w-0 rounded-xl border bg-surface px-2.5 text-sm ${value ? "border-accent font-semibold" : "border-edge"}`;

/** Resets an uncontrolled field to the URL's value after back navigation, without taking the focus from it. */
function useUrlValue<Field extends HTMLInputElement | HTMLSelectElement>(value: string) {
  const field = useRef<Field>(null);
  useEffect(() => {
    if (field.current && field.current.value !== value) field.current.value = value;
  }, [value]);
  return field;
}
