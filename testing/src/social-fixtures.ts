import { addBulkUsers } from "./bulk-users.ts";
import type { AgentCaller, Caller, Person } from "./callers.ts";
import type { Tandem } from "./tandem.ts";

/** Usernames of people with different relationships to a person, and friend requests. */
export interface SocialFixtures {
  /** Wrote to the person, and to the agent if there is one, and sent the person a friend request. */
  writer: string;
  /** Id of the writer's request. */
  incoming: number;
  /** Id of a request sent by the person. */
  outgoing: number;
  friend: string;
  blocked: string;
}

export const noSocialFixtures: SocialFixtures = {
  writer: "nobody.here",
  incoming: 1,
  outgoing: 1,
  friend: "nobody.here",
  blocked: "nobody.here",
};

interface KnownUser {
  username: string;
  caller: Caller;
}

/** Creates people and their relationships to a person and their agent. */
export async function makeSocialFixtures(
  { as, storage, services }: Tandem,
  person: Person,
  agent: AgentCaller | null,
): Promise<SocialFixtures> {
  const users = await addBulkUsers(storage, 4, services.now());
  const [writer, asked, friend, blocked] = users.map(({ username, cookie }) => ({
    username,
    caller: as.with({ cookie }),
  }));
  if (!writer || !asked || !friend || !blocked) throw new Error("too few users");
  return connectUsers(person, agent, { writer, asked, friend, blocked });
}

/** The same with existing people. */
export async function connectUsers(
  person: Person,
  agent: AgentCaller | null,
  { writer, asked, friend, blocked }: Record<"writer" | "asked" | "friend" | "blocked", KnownUser>,
): Promise<SocialFixtures> {
  const target = { username: person.user.username };
  for (const username of [target.username, ...(agent ? [agent.agent.username] : [])])
    await writer.caller.sendMessage({ username, body: "Have you a minute?" });
  const incoming = await writer.caller.requestFriend(target);
  const outgoing = await person.requestFriend({ username: asked.username });
  const { request } = await friend.caller.requestFriend(target);
  await person.acceptFriend({ id: request.id });
  await person.block({ username: blocked.username });
  return {
    writer: writer.username,
    incoming: incoming.request.id,
    outgoing: outgoing.request.id,
    friend: friend.username,
    blocked: blocked.username,
  };
}
