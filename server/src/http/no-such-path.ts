import { nearestPath } from "@tandem/contract/nearest-path";
import { ApiError } from "./api-error.ts";

/** The error for a path of the API that belongs to no operation. It names the one that was probably meant. */
export function noSuchPath(path: string): ApiError {
  const meant = nearestPath(path);
  return new ApiError(
    "not_found",
    `There is nothing at this path${meant === undefined ? "." : `; did you mean ${meant}?`}`,
  );
}
