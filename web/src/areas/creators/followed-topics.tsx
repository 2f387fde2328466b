import type { FollowedCommunity, FollowedTag } from "@tandem/contract/follows";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type Topic, topicsChanged } from "../../data/followed-topics.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { communityTarget } from "../../shared/addresses.ts";
import { Button } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { CardList } from "../../ui/person-row.tsx";

/** The hashtags and communities that the reader follows. */
export function FollowedTopics({
  tags,
  communities,
}: {
  tags: FollowedTag[];
  communities: FollowedCommunity[];
}) {
  const { t } = useText();
  return (
    <>
      {tags.length > 0 && (
        <Section title={t("creators.followedTags")}>
          {tags.map(({ name }) => (
            <Row key={name} name={`#${name}`} topic={{ tag: name }} to="/search" search={{ q: `#${name}` }} />
          ))}
        </Section>
      )}
      {communities.length > 0 && (
        <Section title={t("creators.followedCommunities")}>
          {communities.map(({ platform, community }) => (
            <Row
              key={`${platform}/${community}`}
              name={community}
              topic={{ platform, community }}
              description={
                platform !== "native" && t("creators.importedFrom", { platform: t(`platform.${platform}`) })
              }
              {...communityTarget({ platform, community })}
            />
          ))}
        </Section>
      )}
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-2 mb-6">
      <h2 className="mb-2 px-4 font-semibold sm:px-0">{title}</h2>
      <CardList label={title}>{children}</CardList>
    </section>
  );
}

function Row({
  name,
  topic,
  description,
  to,
  search,
}: {
  name: string;
  topic: Topic;
  description?: ReactNode;
  to: string;
  search?: Record<string, string>;
}) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const unfollow = useAction(
    (api) => ("tag" in topic ? api.unfollowTag(topic) : api.unfollowCommunity(topic)),
    {
      onSuccess: () => topicsChanged(queryClient),
    },
  );
  return (
    <li className="flex items-center gap-3 px-4 py-2">
      <p className="min-w-0 flex-1">
        <Link
          to={to}
          {...(search && { search })}
          className="theirs block min-h-6 font-semibold break-words hover:underline"
        >
          {name}
        </Link>
        {description && <span className="block text-sm text-soft">{description}</span>}
      </p>
      <Button
        onClick={() => unfollow.mutate()}
        busy={unfollow.isPending}
        aria-label={t("creators.unfollowNamed", { author: name })}
      >
        {t("creators.unfollow")}
      </Button>
    </li>
  );
}
