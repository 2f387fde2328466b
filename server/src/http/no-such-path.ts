import { nearestPath } from "@tandem/contract/nearest-path";
import { ApiError } from "./api-error.ts";

/** The error for a request's path at which there is nothing. It names the one that was probably meant. */
export function noSuchPath(method: string, url: string): ApiError {
  const [path = ""] = url.split("?", 1);
  const meant = nearestPath(method, path);
  return new ApiError(
    "not_found",
    `There is nothing at this path${meant === undefined ? "." : `; did you mean ${meant}?`}`,
  );
}
