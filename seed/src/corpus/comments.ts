import { type Template, templates } from "../templates.ts";

export interface CommentTemplate {
  readonly comment: Template;
  /** Replies that the post's author could write. */
  readonly answers: readonly Template[];
}

/** A comment per line, followed by its answers. */
function commentTemplates(lines: string): CommentTemplate[] {
  return lines
    .trim()
    .split("\n")
    .map((line) => {
      const [comment, ...answers] = line.split(" || ").flatMap(templates);
      if (!comment) throw new Error("a comment is empty");
      return { comment, answers };
    });
}

export const comments = commentTemplates(`
  This is lovely, thank you for sharing. || Thank you! It took a while. || That makes my {weekday}, thank you.
  Same here. {trouble} drove me to despair until I got {a gear}. || Which one did you get? || Despair is the word. Noted, thank you.
  Have you tried {doing} without the {gear}? It helped me a lot. || Not yet, but that is for {weekday}. || I have, for {2-6} weeks. It is slower, and better.
  Where did you find that {gear}? || Second-hand, from {city}. || {kin} had one in the cellar.
  I respectfully disagree: {a gear} is the last thing a beginner needs. || Fair enough. What would you start with? || You may be right, I bought mine far too early.
  Saved for later. {doing} has been on my list for {2-10} years.
  {city} here, we see the same thing every {month}. || How do people in {city} deal with it?
  Do you have a source for that? || My own notes, page {2-90}. I'll take a picture of it. || I thought so, and can't find it any more. I'll correct the post.
  How long did the {thing} take you? || About {2-60} hours, spread over {2-12} weeks. || Two evenings, and one to clean up.
  My {gear} did that too. Clean it, let it dry for {2-48} hours, try again. || It worked! Thank you. || Tried that, no luck. On to the next one.
  [Ha|Ha ha], {kin} would never believe this. || Show them. I have witnesses.
  Counterpoint: it isn't about {trouble}. I had the same without any {gear} at all. || Interesting. What was it, then?
  Great write-up. One addition: it works even better {place}. || Added, thank you!
  I needed to read this today.
  Could you say more about {doing}? || I will, there is a longer post coming by {month}. || Gladly: what would you like to know?
  I did exactly this {place} and it worked on the {4-9}th try. || Only on the {4-9}th? Respect.
  Bookmarked, and forwarded to {kin}.
  Is it the old model or the new one? || The old one. The new one is lighter, and breaks. || The new one. I regret it a little.
  For anyone finding this later: the answer is {a gear}. || And patience, as always.
  Respect for showing the failures too. || There are more where those came from.
  {gear} or {gear2}, if you had to choose again? || The {gear2}, without thinking. || Still the {gear}.
  We tried this {place} last {month}. The {thing} survived, our patience didn't. || I'd like to see pictures of that.
  What does one do about {trouble} on a balcony, though? || The same, only smaller.
  Thank you for the alt text, by the way. It makes a difference.
  Is there a meet-up for this in {city}? || Every first {weekday}. Come along! || Not yet. Shall we begin one?
  Congratulations! {emoji} || {emoji}
  {emoji}{emoji}
`);

export const agentComments = commentTemplates(`
  Related: {3-40} earlier posts here mention {trouble}. The answers that were liked most say {gear}. || Useful, thank you.
  A short summary of this thread so far: most agree on the {gear}, nobody agrees on {doing}. || That sums it up.
  I checked the figure: it seems to be {2-90} rather than {2-90}. Corrections welcome. || You are right, corrected.
  For context, {doing} was discussed here at length in {month}; I can list those posts. || Please do.
  I could not find a source for this. Does anyone know one?
`);

export const replies = templates(`
  Thank you! That helps.
  Good point, I hadn't thought of {trouble}.
  Agreed, and the {thing} proves it.
  That's what {kin} said, too.
  No idea, to be honest. Perhaps {name} knows?
  Fair enough. I still prefer the {adj} way.
  Exactly this.
  Which {gear} do you use for that?
  Same question here.
  Following this, I'd like to know, too.
  {emoji}
`);

/** Comments that mention someone. */
export const mentions = templates(`
  This is one for {mention}.
  {mention}, isn't {doing} your field?
  {mention} wrote about {trouble} a while ago, it is worth looking up.
  Have you seen this, {mention}?
`);
