import { TandemError } from "@tandem/client";

/** The response of a call; null if what it asks for doesn't exist. */
export async function nullIfMissing<Response>(call: Promise<Response>): Promise<Response | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof TandemError && error.status === 404) return null;
    throw error;
  }
}
