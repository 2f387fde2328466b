import { phrases } from "../grammar.ts";

/*
 * How people and agents talk, whatever it is about. Slots are filled from the topic and from `common`.
 */

export const titles = phrases(`
  How do you deal with {trouble}?
  What is your experience with {doing}?
  {doing}: what I wish I had known [earlier|{2-12} years ago|last {month}]
  My first {thing}, after {2-30} [attempts|months|failed evenings]
  {a adj} {thing} {place}
  [Show and tell|Weekend project]: {a thing} made with {a gear} and patience
  Is {a gear} worth the money in {2015-2026}?
  [Looking for|Can anybody recommend] {a gear} under {20-400} €
  Finally rid of {trouble}
  {doing} {place}
  {2-15} lessons from {2-20} years of {doing}
  [Unpopular opinion|Honest question]: who needs {a gear}?
  The {thing} {kin} gave me in {month}
  {trouble}, again. What am I missing?
  Found {place}: {a adj} {thing}
  Meet-up in {city}: {doing}, first {weekday} in {month}
  A beginner's guide to {doing}
  {gear} or {gear}? I can't decide
  Small victories: free from {trouble} since {month}
  {thing+} of {city}, part {2-40}
  In praise of the {adj} {thing}
  What was the best {thing} you saw this {month}?
  {city} has the most {adj} {thing+} I know
  Before and after: {2-40} weeks of {doing}
  Does anybody else start {doing} when they can't sleep?
  [Update|Follow-up]: the {thing} {place} made it through {month}
  Thank you, whoever left {a gear} {place}
  {name} asked about {trouble}; here is a longer answer
  [Free to a good home|For a swap]: {a gear}, {1-20} years old
  I kept a log of {doing} for {30-365} days
`);

export const newsTitles = phrases(`
  {city} falls in love with {doing}
  The slow return of the {thing}
  Why {thing+} matter more than you think
  {doing} is changing, and {city} shows how
  New study: {doing} lowers stress by {5-40} percent
  A short history of the {gear}
  What {2-90} experts advise against {trouble}
  The last workshop in {city} that still makes {gear+}
  Inside {city}'s {adj} world of {doing}
  How one {adj} {thing} brought a street in {city} together
  {trouble}: the problem that nobody in {city} wants to own
  {2-25} ideas for {doing} on a small budget
  An interview with {name}, who spent {2-40} years {doing}
  Open day in {city}: see {a thing} up close this {weekday}
`);

export const agentTitles = phrases(`
  Weekly digest: {3-40} notes on {doing}
  I compared {3-25} guides to {doing}; this is where they disagree
  Summary of {20-200} comments about {trouble}
  What {30-400} posts say about the {gear}
  A checklist against {trouble}
  [Question of the day|Poll]: {gear} or {gear}?
  {thing+} in {city}: what changed since {2005-2024}
  Sources on {doing}, sorted by how far I trust them
  A reading list on the {thing}, with {4-30} entries
  {month} in numbers: {doing} across {2-12} cities
  Plain-language explainer: {trouble}
  My operator asked for {a thing}; here is what I found
`);

export const openings = phrases(`
  I have been {doing} for {2-30} [months|years], mostly {place}.
  Last {weekday} {kin} showed me {a thing} {place}, and I haven't stopped thinking about it.
  It started with {trouble}, as these things do.
  We moved to {city} in {month}, and the first thing I unpacked was the {gear}.
  This is {a adj} {thing}, nothing special, but it is mine.
  After {2-20} evenings I can say that {doing} is harder than it looks.
  Somebody here suggested {a gear}, so I borrowed one from {kin}.
  Every {month} the same story: {trouble}.
  I took these notes {place} and promised to share them.
  For context: small budget, no experience with {doing}, a lot of goodwill.
`);

export const sentences = phrases(`
  The {gear} cost me {10-300} € [second-hand|at a flea market in {city}|new], and it has paid for itself.
  What surprised me most was how little the {gear} matters compared with time.
  {kin} says that one gets used to {trouble}; so far I haven't.
  I tried it {place} and again at home, with the same result.
  If you only take one thing from this: start with the {thing}, not with the {gear}.
  There is {a adj} little club in {city} that meets every {weekday} for {doing}.
  Half of the advice I found contradicts the other half.
  {name} from the {city} group lent me {a gear}, which made all the difference.
  By {month} I had {2-60} [photos|pages of notes|failures] and one {thing} to be proud of.
  The trick against {trouble} turned out to be patience and {a gear}.
  I would love to see how you do this {place}.
  It took {2-50} tries, about {1-9} litres of tea and one very {adj} friend.
  Please be kind, I am still learning.
  Model number on the label is {name}-{100-9999}, in case somebody knows it.
  Measured twice: {2-90} minutes with the {gear}, {2-90} without.
  The older {thing+} hold up better than the new ones.
  My agent collected the sources, I checked them, and two of them were wrong.
  Nobody warned me about {trouble}.
  Next I want to try {doing}, perhaps {place}.
  Some say {month} is too late for this; we will see.
  I wrote down every step, including the embarrassing ones.
  The {adj} part is the waiting.
  It rained, the {gear} failed, and it was still the best {weekday} of the year.
  Against {trouble}, {a gear} alone won't do.
`);

export const closings = phrases(`
  What would you do differently?
  Questions welcome.
  Thanks to everyone who answered last time!
  Happy to share the details if anybody is interested.
  Does this match what you see in {city}?
  More next {weekday}.
  Corrections are welcome, with a source if you have one.
  I'll report back in {month}.
`);

export const comments = phrases(`
  This is lovely, thank you for sharing.
  Same here. {trouble} drove me to despair until I got {a gear}.
  Have you tried {doing}? It helped me a lot.
  Where did you find that {gear}?
  I respectfully disagree: {a gear} is the last thing a beginner needs.
  Saved for later. {doing} has been on my list for {2-10} years.
  {city} here, we see the same thing every {month}.
  The second photo is wonderful.
  Do you have a source for that?
  How long did the {thing} take you?
  My {gear} did that too. Clean it, let it dry for {2-48} hours, try again.
  [Ha|Ha ha], {kin} would never believe this.
  Counterpoint: it isn't about {trouble}, I had the same without any {gear} at all.
  Great write-up. One addition: it works even better {place}.
  I needed to read this today.
  What you call {a adj} {thing} is what I have been looking for since {month}.
  Could you say more about {doing}?
  This aged well.
  I did exactly this {place} and it worked on the {4-9}th try.
  Bookmarked, and forwarded to {kin}.
  Is it the old model or the new one?
  For anyone finding this later: the answer is {a gear}.
  Respect for showing the failures too.
  Summary for the hurried: start small, expect {trouble}, ask {name}.
  Congratulations! {emoji}
  {emoji}{emoji}
`);

export const replies = phrases(`
  Thank you! It took a while.
  Good point, I hadn't thought of {trouble}.
  The {gear} is second-hand, from {city}.
  About {2-60} hours, spread over {2-12} weeks.
  Yes, {place}. Come by if you are ever in {city}.
  Not yet, but {doing} is next.
  I stand corrected.
  Agreed, and the {thing} proves it.
  That's what {kin} said, too.
  No idea, to be honest. Perhaps {name} knows?
  Fair enough. I still prefer the {adj} way.
  Exactly this.
  Source: my own notes of {month}, page {2-90}.
  Which {gear} do you use for that?
  {emoji}
`);

export const bios = phrases(`
  Mostly {thing+} and {doing}. {city}.
  {doing}, and the occasional {thing}.
  I like my {thing+} {adj}. Based in {city}, often {place}.
  Learning about {doing} since {1985-2025}.
  Collector of {gear+}. Opinions are my own.
  {city} → {city}. Ask me about {trouble}.
`);

export const agentBios = phrases(`
  An agent that reads about {doing} so that you needn't read everything.
  I summarise what people say about {thing+}. My operator checks my work.
  Daily notes on {doing}, with sources.
  I answer questions about {trouble}, as well as I can.
`);

export const alts = phrases(`
  {a adj} {thing}, photographed {place} in {month} light.
  Close-up of {a thing} beside {a gear}.
  {name} holding {a gear}, laughing.
  View over {city}; in front of it {a thing}.
`);

export const products = phrases(`
  {adj} {gear}
  {gear} for {doing}
  {gear}, made in {city}
  The {adj} {thing}, a print in A{2-5}
  Starter kit: {doing}
  {city} notebook on {doing}
`);

export const lives = phrases(`
  {doing}, live from {city}
  Ask me anything about {thing+}
  Let's talk about {trouble}
  {weekday} session: {doing} {place}
`);
