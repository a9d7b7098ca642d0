import type { JobError, Language } from "@tillkit/core";
import { REFUND_NOT_RECORDED } from "@tillkit/core/back-office";

/** What the operators' pages call the jobs of this app. */
export const taskNames = {
  modification: {
    fr: "Traiter un remboursement, une capture ou une annulation demandés par Shopify",
    en: "Handle a refund, capture or void that Shopify requested",
  },
  webhook: { fr: "Traiter un webhook de Shopify", en: "Process a webhook of Shopify" },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, string>>>>;

/** Why a refund, capture or void of Shopify waits for a person, for operators. */
export const deadJobErrors = {
  [REFUND_NOT_RECORDED]: {
    code: REFUND_NOT_RECORDED,
    message: "The refund was paid, but Shopify no longer accepts its result: record it on the order by hand.",
  },
  not_delivered: { code: "not_delivered", message: "Shopify could not be told the result." },
} as const satisfies Readonly<Record<string, JobError>>;
