/* Without schemas, so that browser code and settings can import it alone. */

/** Who can sign up. */
export const registrationModes = ["open", "approval", "invitation", "closed"] as const;
export type RegistrationMode = (typeof registrationModes)[number];
