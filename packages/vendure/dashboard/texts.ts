import { useUserSettings } from "@vendure/dashboard";

const english = {
  title: "Payments to review",
  nothingToReview: "No payment waits for a decision.",
  noPayment: "No payment of this order.",
  order: "Order",
  accept: "Accept the difference",
  refund: "Refund",
  confirmAccept: "Accept this difference? The payment then pays its order.",
  confirmRefund: "Refund this payment? The money goes back to the shopper.",
  refunds: "Refunds",
};

const french: typeof english = {
  title: "Paiements à vérifier",
  nothingToReview: "Aucun paiement n’attend de décision.",
  noPayment: "Aucun paiement pour cette commande.",
  order: "Commande",
  accept: "Accepter la différence",
  refund: "Rembourser",
  confirmAccept: "Accepter cette différence ? Le paiement règle alors sa commande.",
  confirmRefund: "Rembourser ce paiement ? L’argent est rendu au client.",
  refunds: "Remboursements",
};

/** The texts in the language of the dashboard. */
export function useTexts(): typeof english {
  return useUserSettings().settings.displayLanguage.startsWith("fr") ? french : english;
}
