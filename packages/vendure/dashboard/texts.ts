import { useUserSettings } from "@vendure/dashboard";

const english = {
  title: "Payments to review",
  nothingToReview: "No payment waits for a decision.",
  noPayment: "No payment of this order.",
  order: "Order",
  accept: "Accept the difference",
  refund: (amount: string) => `Refund ${amount}`,
  confirmAccept: "Accept this difference? The payment then pays its order.",
  confirmRefund: (amount: string) => `Refund ${amount}? The money goes back to the shopper.`,
  refunds: "Refunds:",
  history: "What happened",
  refundStates: {
    requested: "being requested",
    unknown: "no answer yet",
    pending: "pending",
    completed: "completed",
    failed: "failed",
  } as Readonly<Record<string, string>>,
  furtherTransaction: (amount: string, transaction: string) =>
    `The customer paid ${amount} once more on the same page (${transaction}).`,
  refundFurther: (amount: string, transaction: string) => `Refund ${amount} of ${transaction}`,
  lookedInDashboard: (amount: string) => `I have looked in the service’s dashboard: the refund of ${amount}`,
  refundWasMade: "was made",
  refundWasNotMade: "was not made",
  disputeWon: "I won this dispute",
  disputeLost: "I lost this dispute",
  nameTransaction: "Name the transaction…",
  noCandidates: "The service shows no transaction that fits this payment.",
  thisTransaction: "This one paid it",
  confirmTransaction: "Did this transaction pay the payment? Its refunds will go to the shopper of this transaction.",
  refundOverDispute: "Refund despite the dispute…",
  overDisputeHint: (disputed: string, atMost: string) =>
    `${disputed} is disputed: if you refund it and lose the dispute, the money leaves twice. At most ${atMost}.`,
  amount: "Amount",
  refundAnyway: "Refund despite the dispute",
  confirmOverDispute: (amount: string, disputed: string) =>
    `Refund ${amount} although ${disputed} is disputed? This cannot be undone.`,
};

const french: typeof english = {
  title: "Paiements à vérifier",
  nothingToReview: "Aucun paiement n’attend de décision.",
  noPayment: "Aucun paiement pour cette commande.",
  order: "Commande",
  accept: "Accepter la différence",
  refund: (amount) => `Rembourser ${amount}`,
  confirmAccept: "Accepter cette différence ? Le paiement règle alors sa commande.",
  confirmRefund: (amount) => `Rembourser ${amount} ? L’argent est rendu au client.`,
  refunds: "Remboursements\u00a0:",
  history: "Historique",
  refundStates: {
    requested: "demandé",
    unknown: "sans réponse pour l’instant",
    pending: "en cours",
    completed: "effectué",
    failed: "échoué",
  },
  furtherTransaction: (amount, transaction) =>
    `Le client a payé ${amount} une fois de plus sur la même page (${transaction}).`,
  refundFurther: (amount, transaction) => `Rembourser ${amount} de ${transaction}`,
  lookedInDashboard: (amount) => `J’ai regardé dans le tableau de bord du service : le remboursement de ${amount}`,
  refundWasMade: "a été effectué",
  refundWasNotMade: "n’a pas été effectué",
  disputeWon: "J’ai gagné cette contestation",
  disputeLost: "J’ai perdu cette contestation",
  nameTransaction: "Indiquer la transaction…",
  noCandidates: "Le service n’affiche aucune transaction qui corresponde à ce paiement.",
  thisTransaction: "Celle-ci l’a réglé",
  confirmTransaction:
    "Cette transaction a-t-elle réglé le paiement ? Ses remboursements iront au client de cette transaction.",
  refundOverDispute: "Rembourser malgré la contestation…",
  overDisputeHint: (disputed, atMost) =>
    `${disputed} sont contestés : si vous les remboursez et perdez la contestation, l’argent part deux fois. Au plus ${atMost}.`,
  amount: "Montant",
  refundAnyway: "Rembourser malgré la contestation",
  confirmOverDispute: (amount, disputed) =>
    `Rembourser ${amount} alors que ${disputed} sont contestés ? Cette action est définitive.`,
};

/** The texts in the language of the dashboard. */
export function useTexts(): typeof english {
  return useUserSettings().settings.displayLanguage.startsWith("fr") ? french : english;
}
