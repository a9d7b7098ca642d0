import { explainRefusal, type Language, type Refusal } from "@tillkit/core";

/** Why a paused shop starts no payment, for operators and for the log of Shopify. */
export const SHOP_PAUSED = "The owner of this shop accepts no payments for now.";

type OwnReason = "payment_expired" | "authorization_not_supported" | "payment_not_found";

/** Why the app rejects a payment, refund, capture or void. Shopify shows the text to the owner of the shop. */
export type RejectionReason = OwnReason | Refusal;

const ENGLISH: Readonly<Record<OwnReason, string>> = {
  payment_expired: "No payment arrived in time.",
  authorization_not_supported: "Payments are taken immediately: there is no authorization to capture or void.",
  payment_not_found: "This app has no payment with this amount in this mode (test or live). Nothing was refunded.",
};

const FRENCH: Readonly<Record<OwnReason, string>> = {
  payment_expired: "Aucun paiement n’a été reçu dans le délai prévu.",
  authorization_not_supported:
    "Les paiements sont encaissés immédiatement : il n’y a pas d’autorisation à capturer ou à annuler.",
  payment_not_found:
    "Cette application n’a aucun paiement de ce montant dans ce mode (test ou réel). Rien n’a été remboursé.",
};

/** `decideAt`: the page on which a person decides about the payment. */
export function rejectionText(reason: RejectionReason, language: Language, decideAt: string | null = null): string {
  if (typeof reason !== "string") return explainRefusal(reason, language, decideAt);
  return language === "fr" ? FRENCH[reason] : ENGLISH[reason];
}
