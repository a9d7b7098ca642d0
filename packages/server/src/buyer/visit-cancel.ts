import { confirmOnReturn, recordCancel } from "@tillkit/core";
import { go, type Reply, showPage } from "./reply.ts";
import { shopUrl } from "./shop-url.ts";
import { linkTo, type Visit } from "./visit.ts";

/**
 * The shopper pressed cancel on the hosted page. Nothing is cancelled by that: the same session can still be paid, and may
 * have been paid in another window.
 */
export async function visitCancel(visit: Visit): Promise<Reply> {
  await recordCancel(visit.engine, visit.paymentId);
  const { status, payment } = await confirmOnReturn(visit.engine, visit.paymentId);
  if (status !== "waiting" && status !== "lapsed") return go(linkTo(visit, "return"));
  const url = await shopUrl(visit.engine, payment, "cancelled");
  return url === null ? showPage("resume", 200, { payment, actionUrl: linkTo(visit, "pay") }) : go(url);
}
