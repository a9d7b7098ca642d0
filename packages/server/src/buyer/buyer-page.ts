import type { Request, Response } from "express";
import type { PageName } from "../pages/words.ts";
import { showPage } from "./reply.ts";
import { sendReply } from "./send-reply.ts";

/** A page for a shopper whose payment was not begun, or not found: one that needs no payment to be shown. */
export type BuyerPage = {
  readonly name: Exclude<PageName, "waiting" | "declined" | "expired" | "resume" | "paid" | "duplicate" | "refunded">;
  readonly status: number;
  /** Absolute; the page leads back there. */
  readonly shopUrl?: string | null;
  /** Where the one big button leads, when it does not lead to the shop; `""` opens the same address anew. */
  readonly actionUrl?: string | null;
};

/** Shows one of the buyer pages, for hosts that have links of their own. In the browser's language, or `?lang=`. */
export function sendBuyerPage(request: Request, response: Response, page: BuyerPage): void {
  const { name, status, shopUrl = null, actionUrl = null } = page;
  sendReply(request, response, showPage(name, status, { shopUrl, actionUrl }));
}
