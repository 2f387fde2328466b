import type { Draft } from "@tandem/contract/drafts";
import { TriangleAlert } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { communityAddress } from "../../shared/addresses.ts";
import { Link, OutboundLink } from "../../ui/link.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { Deadline } from "../../ui/time.tsx";
import { usePriceText } from "../../ui/use-price-text.ts";
import { LongText } from "./long-text.tsx";
import { QuotePart } from "./quote-part.tsx";

/** What is there before and after a change. */
type Changeable = Pick<
  Draft,
  | "title"
  | "body"
  | "url"
  | "alt"
  | "contentWarning"
  | "sensitive"
  | "imageUrl"
  | "price"
  | "category"
  | "displayName"
  | "bio"
  | "mediaUrl"
>;

/** What only something new can have. */
type New = Pick<
  Draft,
  | "operation"
  | "state"
  | "pictures"
  | "poll"
  | "chosenOptions"
  | "community"
  | "quotePolicy"
  | "quoteId"
  | "quote"
  | "products"
  | "publishAt"
>;

/** A whole post, comment, product or profile. */
export function DraftContent({ struck = false, ...shown }: Changeable & Partial<New> & { struck?: boolean }) {
  const { title, body, url, alt, imageUrl, price, category, displayName, bio, mediaUrl } = shown;
  const { contentWarning, sensitive, poll, chosenOptions, quoteId, quote } = shown;
  const media = shown.pictures ?? (mediaUrl ? [{ url: mediaUrl, alt }] : []);
  const { t } = useText();
  const priceText = usePriceText();
  const line = struck ? "line-through decoration-soft" : "";
  return (
    <div className={`flex min-w-0 flex-col gap-1 empty:hidden ${struck ? "text-soft" : ""}`}>
      {[title, displayName].map(
        (text) =>
          text && (
            <p key={text} className={`theirs font-semibold wrap-anywhere ${line}`}>
              {text}
            </p>
          ),
      )}
      {contentWarning && (
        <p className={`theirs text-sm wrap-anywhere ${line}`}>
          <TriangleAlert className="me-1.5 inline size-4 text-soft" aria-hidden="true" />
          <span className="sr-only">{t("card.warning")} </span>
          {contentWarning}
        </p>
      )}
      {sensitive && <p className={`text-sm text-soft ${line}`}>{t("card.sensitive")}</p>}
      {[body, bio].map((text) => text && <LongText key={text} text={text} className={line} />)}
      {poll && (
        <>
          <OptionList options={poll.options} />
          <p className="text-sm text-soft">
            {t("composer.poll.choices", { isMultiple: String(poll.isMultiple) })}
          </p>
        </>
      )}
      {chosenOptions && <OptionList options={chosenOptions} />}
      {(price !== null || category) && (
        <p className={`theirs text-sm ${line}`}>
          {[price === null ? null : priceText(price), category].filter(Boolean).join(" · ")}
        </p>
      )}
      {[...new Set([url, imageUrl])].map(
        // The picture, too, as its address: nothing is fetched from there before someone approved it.
        (address) =>
          address && (
            <p key={address} className={`theirs text-sm wrap-anywhere text-soft ${line}`}>
              {address}
            </p>
          ),
      )}
      {media.map((medium) => (
        <Medium key={medium.url} url={medium.url} alt={medium.alt} />
      ))}
      {alt && media.length === 0 && <AltText text={alt} />}
      {/* The time of a scheduled draft is next to its state. */}
      <DraftSettings {...shown} publishAt={shown.state === "pending" ? shown.publishAt : null} />
      {quoteId != null && <QuotePart quote={quote} />}
    </div>
  );
}

/** Where and when a new post is published, and what can be done with it then. */
export function DraftSettings({
  operation,
  poll,
  community,
  quotePolicy,
  publishAt,
  products,
}: Partial<Omit<New, "state">>) {
  const { t } = useText();
  const settings: [name: string, value: ReactNode][] = [
    [t("composer.poll.closesAt"), poll && <Deadline at={poll.closesAt} />],
    [
      t("composer.community"),
      operation === "createPost" && community && (
        <Link to={communityAddress(community)} className="theirs text-accent underline">
          {community}
        </Link>
      ),
    ],
    [t("composer.change.quotePolicy"), quotePolicy && t("composer.quotePolicy", { policy: quotePolicy })],
    [t("composer.publishAt"), publishAt && <Deadline at={publishAt} />],
    [t("composer.change.productIds"), products?.length && <Products products={products} />],
  ];
  const shown = settings.filter(([, value]) => value);
  // Without a list, what has nothing else is empty, and takes no space.
  if (shown.length === 0) return null;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3 text-sm">
      {shown.map(([name, value]) => (
        <Fragment key={name}>
          <dt className="min-h-6 leading-6 text-soft">{name}</dt>
          <dd className="min-h-6 min-w-0 leading-6">{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** The titles of products that a new post shows. */
function Products({ products }: { products: NonNullable<New["products"]> }) {
  return (
    <ul>
      {products.map(({ id, title, url, isAiGenerated }) => (
        <li key={id} className="theirs-heading min-h-6">
          <OutboundLink href={url} className="text-accent underline">
            {title}
          </OutboundLink>{" "}
          {isAiGenerated && <ProvenanceBadge provenance="ai_generated" provenanceBasis="stamped" short />}
        </li>
      ))}
    </ul>
  );
}

function OptionList({ options }: { options: readonly string[] }) {
  return (
    <ul className="flex list-disc flex-col gap-0.5 ps-5">
      {options.map((text) => (
        <li key={text} className="theirs wrap-anywhere">
          {text}
        </li>
      ))}
    </ul>
  );
}

/** Pictures are stored as WebP; anything else is a video. */
function Medium({ url, alt }: { url: string; alt: string | null }) {
  const { t } = useText();
  return (
    <figure className="flex flex-col items-start gap-1">
      <a href={url} className="text-sm text-accent underline">
        {url.endsWith(".webp") ? (
          <img
            src={url}
            alt={t("composer.withMedia")}
            loading="lazy"
            className="max-h-60 rounded-lg border object-contain"
          />
        ) : (
          t("composer.withMedia")
        )}
      </a>
      {alt && (
        <figcaption>
          <AltText text={alt} />
        </figcaption>
      )}
    </figure>
  );
}

/** The description of a picture or video, for everyone to read before it is published. */
function AltText({ text }: { text: string }) {
  const { t } = useText();
  return (
    <p className="text-sm wrap-anywhere">
      <span className="text-soft">{t("composer.change.alt")}</span> <bdi>{text}</bdi>
    </p>
  );
}
