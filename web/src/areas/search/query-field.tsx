import { limits } from "@tandem/contract/limits";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useId, useState } from "react";
import { suggestionsQuery } from "../../data/creators.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useNavigate } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { type Suggestion, SuggestionList, suggestionsIn } from "./suggestion-list.tsx";

/** Milliseconds without typing before suggestions are requested. */
const PAUSE = 200;
/** Shorter texts match too much to be worth a request. */
const MIN_LENGTH = 2;

/**
 * The query, with suggestions while typing: a combobox whose list is moved through with the arrow keys. Before hydration it
 * is a plain search field.
 */
export function QueryField({ q, input }: { q: string; input: RefObject<HTMLInputElement | null> }) {
  const { t } = useText();
  const navigate = useNavigate();
  const isHydrated = useHydrated();
  const listId = useId();
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [activeIndex, setActiveIndex] = useState(-1);
  const suggestions = useSuggestions(typed);
  const isListed = isOpen && suggestions.length > 0;
  const active = isListed ? suggestions[activeIndex] : undefined;
  const close = () => {
    setOpen(false);
    setActiveIndex(-1);
  };
  const choose = ({ to, search }: Suggestion) => {
    close();
    void navigate({ to, ...(search && { search }) });
  };
  const move = (step: number) => {
    setOpen(true);
    // -1 is the field itself, between the last and the first suggestion.
    const places = suggestions.length + 1;
    setActiveIndex((index) => ((index + 1 + step + places) % places) - 1);
  };
  const handleKey = (event: KeyboardEvent) => {
    // Keys that end a composition, such as of Japanese, are not ours.
    if (event.nativeEvent.isComposing || suggestions.length === 0) return;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter" && active) choose(active);
    // The first press closes the list, the second clears the field.
    else if (event.key === "Escape" && isOpen) close();
    else {
      if (event.key === "Enter") close();
      return;
    }
    event.preventDefault();
  };
  return (
    // On phones, the list is as wide as the form.
    <div className="flex-1 sm:relative">
      <Search
        className="pointer-events-none absolute start-3.5 top-6 size-5 -translate-y-1/2 text-soft"
        aria-hidden="true"
      />
      <input
        ref={input}
        type="search"
        name="q"
        defaultValue={q}
        aria-label={t("search.label")}
        placeholder={t("search.placeholder")}
        maxLength={limits.query}
        enterKeyHint="search"
        autoComplete="off"
        {...(isHydrated && {
          role: "combobox",
          "aria-autocomplete": "list",
          "aria-expanded": isListed,
          "aria-controls": isListed ? listId : undefined,
          "aria-activedescendant": active && `${listId}-${active.id}`,
        })}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value.trim());
          setOpen(true);
          setActiveIndex(-1);
        }}
        onKeyDown={handleKey}
        onBlur={close}
        className="min-h-12 w-full rounded-full border border-edge bg-raised ps-11 pe-4 text-base placeholder:text-soft focus:border-accent"
      />
      {isListed && <SuggestionList id={listId} suggestions={suggestions} active={active} onChoose={choose} />}
      <p role="status" className="sr-only">
        {isListed && t("search.suggestionCount", { count: suggestions.length })}
      </p>
    </div>
  );
}

/** What to suggest for a text, once its reader pauses. The request for an earlier text is aborted. */
function useSuggestions(typed: string): Suggestion[] {
  const api = useApi();
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  const isEnough = typed.length >= MIN_LENGTH && settled.length >= MIN_LENGTH;
  const { data } = useQuery({
    ...suggestionsQuery(api, settled),
    enabled: isEnough,
    // The list doesn't blink while the next one loads.
    placeholderData: keepPreviousData,
  });
  return data && isEnough ? suggestionsIn(data) : [];
}
