import type { CommentOrder } from "@tandem/contract/post-resources";
import type { AddressValues } from "../../shared/page.ts";
import { commentOrders } from "./comment-orders.plain.ts";

export const defaultOrder = "best";

/** The order of the comments that a page's address asks for. */
export const commentOrderOf = ({ sort }: AddressValues): CommentOrder =>
  commentOrders.find((order) => order === sort) ?? defaultOrder;
