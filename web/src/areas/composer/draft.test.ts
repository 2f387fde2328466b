import { describe, expect, test } from "vitest";
import { emptyDraft, type PostText, sentText, writtenText } from "./draft.ts";

const long = "It took four hours, and then some more. ".repeat(5).trim();
const sent = (text: Partial<PostText>) => {
  const { title, body } = sentText({ ...emptyDraft, ...text });
  return { title, body };
};

describe("a text without a title", () => {
  test.each(["Snails ate it.", "Snails\n\nAte it.", `Snails ate my garden. ${long}`])(
    "of which a content warning shows nothing: %j",
    (body) => expect(sent({ body, contentWarning: " Snails " })).toEqual({ title: "Snails", body }),
  );

  test("has its title in the field, or else the text, when it is edited", () => {
    expect(sent({ title: "Mine", body: "Hidden.", contentWarning: "W" })).toEqual({
      title: "Mine",
      body: "Hidden.",
    });
    const given = { title: "On looms", body: "They weave." };
    expect(writtenText(given)).toEqual(given);
    expect(writtenText({ title: "A slug", body: null, contentWarning: "Slime" })).toEqual({
      title: "A slug",
      body: "",
    });
  });

  test.each([
    "He wakes up.",
    "He wakes up",
    `He wakes up, and it was a dream. ${long}`,
    "He wakes up.\n\nIt was a dream.",
    `- ${long}`,
    "and so on ".repeat(40).trim(),
  ])("is whole again when it is edited, so that a warning added then hides all of it: %j", (body) => {
    const post = sent({ body });
    const written = writtenText(post);
    expect(written).toEqual({ title: "", body });
    // Nothing is changed by opening the form.
    expect(sent(written)).toEqual(post);
    const warned = sent({ ...written, contentWarning: "Spoilers" });
    expect(warned).toEqual({ title: "Spoilers", body });
    // Another warning is also another title, and without one the text has its title again.
    const again = writtenText({ ...warned, contentWarning: "Spoilers" });
    expect(sent({ ...again, contentWarning: "Plot" })).toEqual({ title: "Plot", body });
    expect(sent(again)).toEqual(post);
  });
});
