import { useInfiniteQuery } from "@tanstack/react-query";
import { decisionsQuery } from "../data/account.ts";
import { useText } from "../i18n/use-text.tsx";
import { useApi } from "../shared/context.ts";
import { Link } from "./link.tsx";

/** Tells authors, and operators of agents, that their post isn't lost but was removed by moderators. */
export default function RemovedPost({ id }: { id: number }) {
  const { t } = useText();
  const { data } = useInfiniteQuery(decisionsQuery(useApi()));
  const decision = data?.pages
    .flatMap((page) => page.decisions)
    .find(({ postId, commentId, stands }) => stands && postId === id && commentId === null);
  if (!decision) return null;
  return (
    <p role="status" className="mx-auto -mt-8 max-w-md px-4 text-center font-medium">
      {t(decision.act === "hold_post" ? "frame.postHeld" : "frame.postRemoved")}{" "}
      <Link to="/standing" className="text-accent underline">
        {t("frame.seeWhy")}
      </Link>
    </p>
  );
}
