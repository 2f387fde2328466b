import { TextField, type TextFieldProps } from "./field.tsx";

/** Adds `https://` to what looks like a web address without it. Returns other text unchanged. */
export function completeUrl(text: string): string {
  const trimmed = text.trim();
  const isBare = /^[^\s/?#@:.]+(\.[^\s/?#@:.]+)*\.\p{L}[^\s/?#@:.]+(:\d+)?([/?#]\S*)?$/u.test(trimmed);
  return isBare && URL.canParse(`https://${trimmed}`) ? `https://${trimmed}` : text;
}

/** A field for a web address, completed on blur and on Enter. */
export function LinkField({ value, onValueChange, ...rest }: TextFieldProps) {
  const complete = () => {
    const completed = completeUrl(value);
    if (completed !== value) onValueChange(completed);
  };
  return (
    <TextField
      {...rest}
      type="url"
      inputMode="url"
      autoComplete="off"
      value={value}
      onValueChange={onValueChange}
      onBlur={complete}
      onKeyDown={({ key }) => key === "Enter" && complete()}
    />
  );
}
