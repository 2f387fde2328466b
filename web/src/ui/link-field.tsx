import { TextField, type TextFieldProps } from "./field.tsx";

/** What is typed as an address on the web, whole: people leave out how it begins. All else stays as it is. */
export function completed(text: string): string {
  const bare = text.trim();
  const isBare = /^[^\s/?#@:.]+(\.[^\s/?#@:.]+)*\.\p{L}[^\s/?#@:.]+(:\d+)?([/?#]\S*)?$/u.test(bare);
  return isBare && URL.canParse(`https://${bare}`) ? `https://${bare}` : text;
}

/** A field for an address on the web, completed once its writer goes on. */
export function LinkField({ value, onText, ...rest }: TextFieldProps) {
  const complete = () => {
    const whole = completed(value);
    if (whole !== value) onText(whole);
  };
  return (
    <TextField
      {...rest}
      type="url"
      inputMode="url"
      autoComplete="off"
      value={value}
      onText={onText}
      onBlur={complete}
      onKeyDown={({ key }) => key === "Enter" && complete()}
    />
  );
}
