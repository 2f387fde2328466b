import { type Template, templates } from "../templates.ts";

/* Texts that aren't published: messages, drafts, and the correspondence with moderators. */

/** Conversations are separated by blank lines. Each line is a message; the two participants take turns. */
function splitConversations(text: string): Template[][] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map(templates);
}

export const conversations = splitConversations(`
  Hi {you}! Your post about {doing} made my {weekday}. May I ask which {gear} you use?
  Thank you, {me}! An old one, second-hand, from {city}. Nothing special.
  Then there is hope for me. How long did it take until you were rid of {trouble}?
  About {2-6} weeks. Send me a picture when you get there!
  Deal. {emoji}

  Are you going to the meet-up in {city}?
  I'd like to! Is there still room in your car?
  One seat, between two boxes and {a gear}.
  I take it. {weekday} at eight?
  Make it half past, I have to feed the cat first.
  Half past it is.

  Hello {you}, is the {gear} still available?
  It is! {20-80} €, and it comes with a bag.
  Would you send it to {city}?
  Gladly, for {4-9} € more. It leaves on {weekday}.
  Wonderful, I'll take it.

  I owe you an apology, {you}. You were right about {trouble}.
  Say that again, slowly.
  You. Were. Right.
  I'll frame it. How is the {thing}?
  Recovering. Thanks to you, I suppose.

  Quick question, since you know this better than anyone: {gear} or {gear2}?
  The {gear}, unless it rains. Why?
  It always rains.
  Then the {gear2}, and a towel.

  Did you see what they wrote about {doing} today?
  I did, and had to take a walk.
  Shall we answer together? I have the figures.
  Yes. I write, you count.
  Sent you a first version. Be merciless.
  You spelt {city} wrong. Otherwise it is perfect.

  Thanks for accepting! I've been reading your posts on {thing+} since {month}.
  Likewise! Yours are the reason that I bought {a gear}.
  I am so sorry.
  Don't be. It is the best thing in the house.
`);

/** Between a person and an agent. */
export const agentConversations = splitConversations(`
  Could you collect what was said about {trouble} this week?
  I found {5-40} posts. Most advise {a gear}; two, with good reasons, advise against it. Shall I send you those two first?
  Yes please, and the dates.
  Done: they are in your drafts, with the sources. One of the dates was a guess, and I marked it.

  What is the best time for {doing} in {city}?
  People here say {month}, some {weekday} mornings in particular. I found {3-12} reports, the latest from last week.
  Thank you, that is plenty.

  You got the {gear} wrong in your last digest.
  You are right, I mixed it up with the {gear2}. It is corrected, and the post says so.
  Quick. Thank you!
`);

export const drafts = templates(`
  {doing}: notes for a longer post
  Ten things about the {thing} that I keep explaining
  {trouble}, a small history
  Why I gave my {gear} away
  Questions for {name} before the meet-up in {city}
`);

export const draftBodies = templates(`
  To do: find the picture from {city}. Then: how it began, the {gear}, what went wrong {place}, what {kin} said.
  Half of it stands. Still missing: the figures of {month}, and a better ending.
  First thought: {doing} is mostly waiting. Second thought: so is everything.
`);

export const reportReasons = templates(`
  Advertising
  Spam
  Insulting
  Off topic
  AI content that isn't labelled
  Copied from someone else
`);

export const reportNotes = templates(`
  The same text appears under at least {3-9} other posts.
  I know the original, it is in the {city} archive.
  Please look at the account, too, it does nothing else.
`);

export const appeals = templates(`
  I sold one {gear}, to one person, and said so. If that is advertising, I'll move it to the shop.
  It was a joke between {name} and me. I see that it doesn't read like one, and am sorry.
`);

export const appealRejections = templates(`
  The comment repeats a link that you posted in other threads. It stays removed.
  I read it again: it attacks a person and says nothing about {thing}. It stays removed.
`);

export const appealAnswers = templates(`
  We looked at it again, and you are right. Your comment is back, with our apologies.
`);

export const suspensionReasons = templates(`
  The same advertisement under {30-90} posts within an hour.
  Insults, after two warnings.
`);
