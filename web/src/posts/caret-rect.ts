/** What decides where a field's text is. */
const copied = [
  ...["boxSizing", "width", "paddingTop", "paddingRight", "paddingBottom", "paddingLeft"],
  ...["borderTopWidth", "borderRightWidth", "borderBottomWidth", "borderLeftWidth", "borderStyle"],
  ...["fontFamily", "fontSize", "fontStyle", "fontWeight", "fontStretch", "lineHeight", "letterSpacing"],
  ...["wordSpacing", "textIndent", "textAlign", "direction", "unicodeBidi", "tabSize", "wordBreak"],
] as const;

/** Where a character of a field's text is in the window. Browsers don't tell, so a copy of the field is measured. */
export function characterRect(field: HTMLTextAreaElement, index: number): DOMRect {
  const copy = document.createElement("div");
  const style = getComputedStyle(field);
  for (const name of copied)
    copy.style.setProperty(hyphenated(name), style.getPropertyValue(hyphenated(name)));
  Object.assign(copy.style, {
    position: "absolute",
    visibility: "hidden",
    whiteSpace: "pre-wrap",
    overflowWrap: "break-word",
  });
  copy.dir = field.dir;
  const character = document.createElement("span");
  character.textContent = field.value.slice(index, index + 1) || ".";
  copy.append(field.value.slice(0, index), character, field.value.slice(index + 1));
  document.body.append(copy);
  const [inCopy, ofCopy, ofField] = [character, copy, field].map((element) =>
    element.getBoundingClientRect(),
  );
  copy.remove();
  const rect = inCopy ?? new DOMRect();
  const left = rect.left + (ofField?.left ?? 0) - (ofCopy?.left ?? 0) - field.scrollLeft;
  const top = rect.top + (ofField?.top ?? 0) - (ofCopy?.top ?? 0) - field.scrollTop;
  return new DOMRect(left, top, rect.width, rect.height);
}

const hyphenated = (name: string) => name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
