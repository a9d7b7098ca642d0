import type { Request, Response } from "express";
import type { PageName } from "./page/texts.ts";
import { sendResponse } from "./send-response.ts";
import { pageResponse } from "./shopper-response.ts";

/** A shopper's page that needs no payment: the payment was not started or not found. */
export type ShopperPage = {
  readonly name: Exclude<PageName, "waiting" | "declined" | "expired" | "resume" | "paid" | "duplicate" | "refunded">;
  readonly status: number;
  /** Absolute address of the shop; the page links to it. */
  readonly shopUrl?: string | null;
  /** Where the main button leads when it does not lead to the shop; `""` reloads the same URL. */
  readonly actionUrl?: string | null;
};

/** Sends one of the shopper's pages, for hosts with links of their own. The language is named by `?lang=`, or else by the browser. */
export function sendShopperPage(request: Request, response: Response, page: ShopperPage): void {
  const { name, status, shopUrl = null, actionUrl = null } = page;
  sendResponse(request, response, pageResponse(name, status, { shopUrl, actionUrl }));
}
