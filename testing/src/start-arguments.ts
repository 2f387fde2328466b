import manifest from "../../package.json" with { type: "json" };

/** The options of Node.js with which `npm start` runs the built service. */
export const startArguments: readonly string[] = (
  /exec node (.*)server\/dist\/main\.js$/.exec(manifest.scripts.start)?.[1] ?? ""
)
  .split(" ")
  .filter((one) => one !== "");
