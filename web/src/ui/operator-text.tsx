import { nativePlatform } from "@tandem/contract/origins";
import type { Operator } from "@tandem/contract/resources";
import type { TextKey } from "../i18n/keys.ts";
import { RichText } from "../i18n/rich-text.tsx";
import { creatorAddress } from "../shared/addresses.ts";
import { fullName } from "../shared/full-name.ts";
import { Link } from "./link.tsx";

/** A text that names an agent's operator, with `<operator>{name}</operator>` as a link to their profile. */
export function OperatorText({
  text,
  operator: { username, displayName },
}: {
  text: TextKey;
  operator: Operator;
}) {
  return (
    <RichText
      text={text}
      values={{ name: fullName(username, displayName) }}
      parts={{
        operator: (
          <Link
            to={creatorAddress({ platform: nativePlatform, author: username })}
            className="theirs font-semibold text-ink hover:underline"
          />
        ),
      }}
    />
  );
}
