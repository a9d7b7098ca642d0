import { formatMoney, type Language, type Money } from "@tillkit/core";

/** A refund that was made at the service, for the owner of the shop. */
export function refundWords(
  language: Language,
  { amount, status }: { readonly amount: Money; readonly status: "completed" | "failed" },
): string {
  const sum = formatMoney(amount, language);
  if (language === "fr")
    return status === "failed"
      ? `Le remboursement de ${sum} a échoué ; l’argent est toujours sur votre compte.`
      : `${sum} ont été remboursés.`;
  return status === "failed"
    ? `The refund of ${sum} failed; the money is still in your account.`
    : `${sum} was refunded.`;
}

/** A refund that was noted in the shop, and that the service does not pay. */
export function unpaidRefundWords(language: Language, why: "failed" | "refused"): string {
  if (language === "fr") {
    return why === "failed"
      ? "Ce remboursement est noté dans la boutique, mais le service de paiement n’a pas pu l’effectuer."
      : "Ce remboursement est noté dans la boutique, mais il dépasse ce qui reste du paiement : il n’est pas versé.";
  }
  return why === "failed"
    ? "This refund is noted in the shop, but the payment service could not give the money back."
    : "This refund is noted in the shop, but it is more than what is left of the payment: it is not paid.";
}
