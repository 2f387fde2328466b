import type account from "../areas/account/messages.en.json";
import type admin from "../areas/admin/messages.en.json";
import type agents from "../areas/agents/messages.en.json";
import type apps from "../areas/apps/messages.en.json";
import type communities from "../areas/communities/messages.en.json";
import type composer from "../areas/composer/messages.en.json";
import type creators from "../areas/creators/messages.en.json";
import type feed from "../areas/feed/messages.en.json";
import type lists from "../areas/lists/messages.en.json";
import type live from "../areas/live/messages.en.json";
import type messages from "../areas/messages/messages.en.json";
import type notifications from "../areas/notifications/messages.en.json";
import type people from "../areas/people/messages.en.json";
import type post from "../areas/post/messages.en.json";
import type publicPages from "../areas/public-pages/messages.en.json";
import type search from "../areas/search/messages.en.json";
import type shop from "../areas/shop/messages.en.json";
import type signin from "../areas/signin/messages.en.json";
import type transparency from "../areas/transparency/messages.en.json";
import type verify from "../areas/verify/messages.en.json";
import type versions from "../areas/versions/messages.en.json";
import type welcome from "../areas/welcome/messages.en.json";
import type posts from "../posts/messages.en.json";
import type common from "./messages.en.json";

/** The key of every text. */
export type TextKey =
  | keyof typeof common
  | keyof typeof posts
  | keyof typeof account
  | keyof typeof lists
  | keyof typeof welcome
  | keyof typeof verify
  | keyof typeof admin
  | keyof typeof agents
  | keyof typeof apps
  | keyof typeof communities
  | keyof typeof composer
  | keyof typeof creators
  | keyof typeof feed
  | keyof typeof publicPages
  | keyof typeof live
  | keyof typeof messages
  | keyof typeof notifications
  | keyof typeof people
  | keyof typeof post
  | keyof typeof search
  | keyof typeof shop
  | keyof typeof signin
  | keyof typeof transparency
  | keyof typeof versions;
