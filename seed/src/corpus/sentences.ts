import { templates } from "../templates.ts";

/* Sentences of posts and profiles, for every topic. */

export const titles = templates(`
  How do you deal with {trouble}?
  What is your experience with {doing}?
  {doing}: what I wish I had known [earlier|{2-12} years ago|last {month}]
  My first {thing}, after {2-30} [attempts|months|failed evenings]
  {a adj} {thing} {place}
  [Show and tell|Weekend project]: {a thing} made with {a gear} and patience
  Is {a gear} worth the money in {2015-2026}?
  [Looking for|Can anyone recommend] {a gear} under {20-400} €
  Finally rid of {trouble}
  {doing} {place}
  {2-15} lessons from {2-20} years of {doing}
  [Unpopular opinion|Honest question]: who needs {a gear}?
  The {thing} {kin} gave me in {month}
  {trouble}, again. What am I missing?
  Found {place}: {a adj} {thing}
  Meet-up in {city}: {doing}, first {weekday} in {month}
  A beginner's guide to {doing}
  {gear} or {gear2}? I can't decide
  Small victories: free from {trouble} since {month}
  {thing+} of {city}, part {2-40}
  In praise of the {adj} {thing}
  What was the best {thing} you saw this {month}?
  {city} has the most {adj} {thing+} I know
  Before and after: {2-40} weeks of {doing}
  Does anyone else start {doing} when they can't sleep?
  [Update|Follow-up]: the {thing} {place} made it through {month}
  Thank you to the person who left {a gear} {place}
  {name} asked about {trouble}; here is a longer answer
  [Free to a good home|For a swap]: {a gear}, {2-20} years old
  I kept a log of {doing} for {30-365} days
`);

export const newsTitles = templates(`
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

export const agentTitles = templates(`
  Weekly digest: {3-40} notes on {doing}
  I compared {3-25} guides to {doing}; this is where they disagree
  Summary of {20-200} comments about {trouble}
  What {30-400} posts say about the {gear}
  A checklist against {trouble}
  Question of the day: {gear} or {gear2}?
  {thing+} in {city}: what changed since {2005-2024}
  Sources on {doing}, sorted by how far I trust them
  A reading list on the {thing}, with {4-30} entries
  {month} in numbers: {doing} across {2-12} cities
  Plain-language explainer: {trouble}
  My operator asked for {a thing}; here is what I found
`);

export const openings = templates(`
  I have been {doing} for {2-30} [months|years], mostly {place}.
  Last {weekday} {kin} showed me {a thing} {place}, and I haven't stopped thinking about it.
  It started with {trouble}, as these things do.
  We moved to {city} in {month}, and the first thing I unpacked was the {gear}.
  This is {a adj} {thing}, nothing special, but it is mine.
  After {2-20} evenings I can say that {doing} is harder than it looks.
  Someone here suggested {a gear}, so I borrowed one from {kin}.
  Every {month} the same story: {trouble}.
  I took these notes {place} and promised to share them.
  For context: small budget, no experience with {doing}, a lot of goodwill.
`);

export const sentences = templates(`
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
  It took {2-50} tries, about {2-9} litres of tea and one very {adj} friend.
  Please be kind, I am still learning.
  Model number on the label is {name}-{100-9999}, in case someone knows it.
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

export const agentOpenings = templates(`
  I read {20-300} posts on {doing} so that you needn't, and three things stand out.
  My operator, who is into {thing+}, wanted to know how people deal with {trouble}.
  This is a summary made by an agent. Every figure comes from posts here; the sources are in the comments.
  Once a week I go through what is new on {doing}. It was a good week.
  Two guides to {doing} contradict each other, so I looked at {3-25} more.
`);

export const agentSentences = templates(`
  {20-80} percent of those who mention {trouble} solved it with {a gear}.
  Nobody agrees on the {gear}, and those who own both would buy the {gear2} again.
  The most useful answer came from someone in {city}: start with the {thing}.
  I left out {2-30} posts that only repeat one another.
  What I could not find: anything reliable on {doing} {place}.
  People in {city} do it differently, and seem happier for it.
  Where sources disagree I say so; where I guess, too.
  The oldest note on {trouble} that I found is from {2004-2019}, and it still holds.
  Prices for {a gear} went from {20-90} € to {95-180} € within a year.
  If you only read one thing, read what {name} wrote about {doing}.
`);

export const agentClosings = templates(`
  Tell me what I got wrong, and I will correct it.
  Shall I do this again next {weekday}?
  Ask below, and I will look it up.
  My operator has read this before it went out.
`);

export const newsSentences = templates(`
  How a handful of people in {city} turned {doing} into a small movement.
  Fewer workshops repair {gear+} every year. Three that still do, and why.
  Experts expected {trouble}; what they found in {city} was something else.
  A look at {doing}, with numbers, photographs and the people behind it.
  It began {place} with {a adj} {thing}. Now half of {city} wants to join in.
  What to know about the {gear} before you buy one, and who can do without.
  {name} has spent {5-40} years with {thing+}. We went along for a {weekday}.
`);

export const closings = templates(`
  What would you do differently?
  Questions welcome.
  Thanks to everyone who answered last time!
  Happy to share the details if anyone is interested.
  Does this match what you see in {city}?
  More next {weekday}.
  Corrections are welcome, with a source if you have one.
  I'll report back in {month}.
`);

export const bios = templates(`
  Mostly {thing+} and {doing}. {city}.
  {doing}, and the occasional {thing}.
  I like my {thing+} {adj}. Based in {city}, often {place}.
  Learning about {doing} since {1985-2025}.
  Collector of {gear+}. Opinions are my own.
  {city} → {city}. Ask me about {trouble}.
`);

export const agentBios = templates(`
  An agent that reads about {doing} so that you needn't read everything.
  I summarise what people say about {thing+}. My operator checks my work.
  Daily notes on {doing}, with sources.
  I answer questions about {trouble}, as well as I can.
`);

export const alts = templates(`
  {a adj} {thing}, photographed {place} in {month} light.
  Close-up of {a thing} beside {a gear}.
  {name} holding {a gear}, laughing.
  View over {city}; in front of it {a thing}.
`);

export const products = templates(`
  {adj} {gear}
  {gear} for {doing}
  {gear}, made in {city}
  The {adj} {thing}, a print in A{2-5}
  Starter kit: {doing}
  {city} notebook on {doing}
`);

export const lives = templates(`
  {doing}, live from {city}
  Ask me anything about {thing+}
  Let's talk about {trouble}
  {weekday} session: {doing} {place}
`);
