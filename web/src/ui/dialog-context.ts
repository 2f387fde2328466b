import { createContext } from "react";

/** Whether a component is in a dialog, where buttons are at the end and the main one is the last. */
export const DialogContext = createContext(false);
