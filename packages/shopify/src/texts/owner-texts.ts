import type { ownerTextsEn } from "./owner-texts-en.ts";

/** The texts of the pages that the owner of a shop reads, in one language. */
export type OwnerTexts = typeof ownerTextsEn;

/** Why a page cannot be shown to the owner. */
export type ProblemCode = keyof OwnerTexts["problems"];

/**
 * Why a refund, capture or void that stopped waits for the owner. `refund_not_recorded`: the refund was paid and Shopify no longer accepts
 * it. `not_delivered`: Shopify could not be told the result. `not_finished`: it stopped before there was a result. `refund_not_paid`: a
 * refund of the shop in order mode stopped before the service was known to have made it.
 */
export type DeadJobReason = keyof OwnerTexts["deadJobs"];
