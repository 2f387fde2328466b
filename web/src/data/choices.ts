import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";

/**
 * A reader's choices for this browser, with or without an account. The first option is the default. Stored in
 * cookies, so that the server renders the first page accordingly.
 */
const choiceOptions = {
  /** How to show AI-generated posts to visitors. Members have an account preference instead. */
  ai: ["show", "dim", "hide"],
  /** Whether videos and animated pictures play automatically in view. */
  motion: ["still", "play"],
  /** What starts a live stream: a click, or opening its page. */
  stream: ["click", "play"],
  /** Whether keyboard shortcuts are on. */
  keys: ["on", "off"],
  /** Whether the welcome banner is shown. */
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

/** Puts a request's cookies into the cache before the page renders. */
export function setChoices(queryClient: QueryClient, cookies: Cookies): void {
  for (const name of Object.keys(choiceOptions) as ChoiceName[])
    queryClient.setQueryData(["choice", name], choiceIn(name, cookies));
}

/** The current choice, without a hook. The cache has it from the start. */
export function choiceOf<N extends ChoiceName>(queryClient: QueryClient, name: N): ChoiceOf<N> {
  return queryClient.getQueryData<ChoiceOf<N>>(["choice", name]) ?? choiceOptions[name][0];
}

export function useChoice<N extends ChoiceName>(
  name: N,
): [choice: ChoiceOf<N>, setChoice: (value: ChoiceOf<N>) => void] {
  const queryClient = useQueryClient();
  const { data: choice = choiceOptions[name][0] } = useQuery(choiceQuery(name));
  const setChoice = (value: ChoiceOf<N>) => {
    writeCookie(document, `${cookieName(name)}=${value}`);
    queryClient.setQueryData(["choice", name], value);
  };
  return [choice, setChoice];
}

/**
 * Sets a cookie for a year. The Cookie Store API isn't in every browser, nor on pages served without HTTPS.
 */
function writeCookie(jar: Pick<Document, "cookie">, pair: string): void {
  jar.cookie = `${pair}; path=/; max-age=31536000; samesite=lax`;
}

function parseCookies(text: string): Cookies {
  return Object.fromEntries(text.split("; ").map((pair) => pair.split("=", 2)));
}
