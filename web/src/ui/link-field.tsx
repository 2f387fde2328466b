import { TextField, type TextFieldProps } from "./field.tsx";

/** What is typed as an address on the web, whole: people leave out how it begins. All else stays as it is. */
export function completeUrl(text: string): string {
  const trimmed = text.trim();
  const isBare = /^[^\s/?#@:.]+(\.[^\s/?#@:.]+)*\.\p{L}[^\s/?#@:.]+(:\d+)?([/?#]\S*)?$/u.test(trimmed);
  return isBare && URL.canParse(`https://${trimmed}`) ? `https://${trimmed}` : text;
}

/** A field for an address on the web, completed once its writer goes on. */
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
