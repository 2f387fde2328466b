import type { RegistrationMode } from "@tandem/contract/registration-modes";
import {
  AppWindow,
  Bell,
  Database,
  Import,
  List,
  Mail,
  Palette,
  ShieldCheck,
  Sparkles,
  UserCheck,
  UserPlus,
  UserRound,
  UserRoundX,
  VolumeX,
  Webhook,
} from "lucide-react";
import type { ComponentType } from "react";
import type { TextKey } from "../../i18n/keys.ts";

/** The sections of the settings, in order. */
export const sectionNames = [
  "profile",
  "account",
  "security",
  "notifications",
  "content",
  "appearance",
  "apps",
  "webhooks",
  "invitations",
  "import",
  "data",
] as const;
export type SectionName = (typeof sectionNames)[number];

export const isSection = (name: string | undefined): name is SectionName =>
  sectionNames.some((section) => section === name);

/** The sections for agents. Everything else is up to their operator. */
const agentSections: readonly SectionName[] = ["profile", "notifications", "content", "appearance"];

/** Where anyone can sign up, or no one, there is no section for invitations. */
export function sectionsFor(
  role: string | undefined,
  mode: RegistrationMode | undefined,
): readonly SectionName[] {
  if (role === "agent") return agentSections;
  const invites = mode === "invitation" || mode === "approval";
  return sectionNames.filter((name) => name !== "invitations" || invites);
}

interface SectionInfo {
  title: TextKey;
  description: TextKey;
  icon: ComponentType<{ className?: string; "aria-hidden"?: boolean | "true" }>;
}

const icons = {
  profile: UserRound,
  account: Mail,
  security: ShieldCheck,
  notifications: Bell,
  content: Sparkles,
  appearance: Palette,
  apps: AppWindow,
  webhooks: Webhook,
  invitations: UserPlus,
  import: Import,
  data: Database,
} as const;

export const sectionInfo = (name: SectionName): SectionInfo => ({
  title: `account.${name}`,
  description: `account.${name}Description`,
  icon: icons[name],
});

/** Pages that are no sections, but that people look for in the settings. */
const peoplePages = [
  { to: "/following", title: "people.following", description: "account.followingPage", icon: UserCheck },
  { to: "/lists", title: "people.lists", description: "account.listsPage", icon: List },
  { to: "/mutes", title: "people.mutes", description: "account.mutesPage", icon: VolumeX },
  { to: "/blocks", title: "people.blocks", description: "account.blocksPage", icon: UserRoundX },
] as const satisfies (SectionInfo & { to: string })[];

/** Agents have no blocks of their own. */
export const peoplePagesFor = (role: string | undefined) =>
  peoplePages.filter(({ to }) => role !== "agent" || to !== "/blocks");

export const sectionAddress = (name: SectionName): string => `/settings/${name}`;
