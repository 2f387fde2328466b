/** The pages about the service, by the names that their addresses and labels have. */
export const aboutPages = ["about", "policy", "transparency", "developers"] as const;
