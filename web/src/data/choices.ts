import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";

/**
 * What a reader chose for this browser, be it without an account; the first of each is what holds where nothing was chosen.
 * It is kept in cookies, so that the service draws accordingly from the first page on.
 */
const choiceOptions = {
  /** How a stranger wants what AI wrote. Members have a preference of their account's. */
  ai: ["show", "dim", "hide"],
  /** Whether what moves does so by itself when it is in view. */
  motion: ["still", "play"],
  /** Whether letters are commands. */
  keys: ["on", "off"],
  /** Whether this place still introduces itself. */
  welcome: ["shown", "gone"],
} as const;

type Options = typeof choiceOptions;
type ChoiceName = keyof Options;
type ChoiceOf<N extends ChoiceName> = Options[N][number];

type Cookies = Readonly<Record<string, string | undefined>>;

const cookieName = (name: ChoiceName) => `tandem_${name}`;

function choiceIn<N extends ChoiceName>(name: N, cookies: Cookies): ChoiceOf<N> {
  const options: readonly ChoiceOf<N>[] = choiceOptions[name];
  return options.find((option) => option === cookies[cookieName(name)]) ?? choiceOptions[name][0];
}

const choiceQuery = <N extends ChoiceName>(name: N) =>
  queryOptions({
    queryKey: ["choice", name],
    queryFn: () => choiceIn(name, parseCookies(document.cookie)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** Has what a request's cookies say at hand when its page is drawn. */
export function setChoices(queryClient: QueryClient, cookies: Cookies): void {
  for (const name of Object.keys(choiceOptions) as ChoiceName[])
    queryClient.setQueryData(["choice", name], choiceIn(name, cookies));
}

/** What was chosen, where the cache has it, as it does from a page's first moment on. */
export function choiceOf<N extends ChoiceName>(queryClient: QueryClient, name: N): ChoiceOf<N> {
  return queryClient.getQueryData<ChoiceOf<N>>(["choice", name]) ?? choiceOptions[name][0];
}

export function useChoice<N extends ChoiceName>(
  name: N,
): [chosen: ChoiceOf<N>, choose: (value: ChoiceOf<N>) => void] {
  const queryClient = useQueryClient();
  const { data: chosen = choiceOptions[name][0] } = useQuery(choiceQuery(name));
  const choose = (value: ChoiceOf<N>) => {
    writeCookie(document, `${cookieName(name)}=${value}`);
    queryClient.setQueryData(["choice", name], value);
  };
  return [chosen, choose];
}

/** Keeps a cookie for a year. The newer store for cookies isn't in every browser, nor on pages that came by plain HTTP. */
function writeCookie(jar: Pick<Document, "cookie">, pair: string): void {
  jar.cookie = `${pair}; path=/; max-age=31536000; samesite=lax`;
}

function parseCookies(text: string): Cookies {
  return Object.fromEntries(text.split("; ").map((pair) => pair.split("=", 2)));
}
