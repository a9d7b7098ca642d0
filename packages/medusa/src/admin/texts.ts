export type AdminLanguage = "fr" | "en";

export type AdminTexts = {
  readonly widgetTitle: string;
  readonly noPayment: string;
  readonly pageTitle: string;
  readonly pageDescription: string;
  readonly filters: Readonly<Record<"review" | "refunded" | "all", string>>;
  readonly emptyList: Readonly<Record<"review" | "refunded" | "all", string>>;
  readonly deadLetterJobs: (count: number) => string;
  readonly orphanWebhooks: (count: number) => string;
  readonly loadMore: string;
  readonly testMode: string;
  readonly payment: string;
  readonly checkoutSession: string;
  readonly transaction: string;
  readonly paymentCollection: string;
  readonly order: string;
  readonly noOrder: string;
  readonly startedAt: string;
  readonly refunds: string;
  readonly refundStates: Readonly<Record<string, string>>;
  readonly timeline: string;
  /** Medusa adds a colon without a space. */
  readonly findingLabel: string;
  readonly check: string;
  readonly checked: string;
  readonly accept: string;
  readonly acceptQuestion: string;
  readonly refund: string;
  /** Names no amount: the amount received may differ from the amount due. */
  readonly refundQuestion: string;
  readonly yes: string;
  readonly no: string;
  readonly failed: string;
  readonly states: Readonly<Record<string, string>>;
};

const english: AdminTexts = {
  widgetTitle: "Payment at the service",
  noPayment: "This order was not paid through the hosted checkout.",
  pageTitle: "Payments to review",
  pageDescription: "Payments received that pay no order yet. All other payments are handled automatically.",
  filters: { review: "To review", refunded: "Refunded", all: "All" },
  emptyList: {
    review: "There is no payment to review: every payment has its order.",
    refunded: "There are no refunded payments yet.",
    all: "There are no payments yet.",
  },
  deadLetterJobs: (count) =>
    count === 1
      ? "One background job failed for days and was stopped. Inspect it with “tillkit jobs --dead-letter”."
      : `${count} background jobs failed for days and were stopped. Inspect them with “tillkit jobs --dead-letter”.`,
  orphanWebhooks: (count) =>
    count === 1
      ? "One webhook reported a payment of this store that is missing in its database. Check the payment service’s dashboard."
      : `${count} webhooks reported payments of this store that are missing in its database. Check the payment service’s dashboard.`,
  loadMore: "Load more",
  testMode: "Test",
  payment: "Payment",
  checkoutSession: "Checkout session",
  transaction: "Transaction",
  paymentCollection: "Payment collection",
  order: "Order",
  noOrder: "None",
  startedAt: "Started",
  refunds: "Refunds",
  refundStates: {
    requested: "being requested",
    unknown: "no answer yet",
    pending: "pending",
    completed: "completed",
    failed: "failed",
  },
  timeline: "Timeline",
  findingLabel: "Needs review",
  check: "Check now",
  checked: "The payment was just read from the service.",
  accept: "Accept the difference",
  acceptQuestion: "Accept this payment for the order despite the difference?",
  refund: "Refund",
  refundQuestion: "Refund the full amount received to the shopper?",
  yes: "Yes",
  no: "No",
  failed: "The request failed.",
  states: {
    intent: "Started",
    open: "Waiting for the shopper",
    superseded: "Replaced",
    expired: "Expired",
    closed: "Not paid",
    verified: "Paid, order in progress",
    recorded: "Paid",
    review: "Needs review",
    duplicate: "Paid twice",
    refunding: "Refund in progress",
    refunded: "Refunded",
  },
};

const french: AdminTexts = {
  widgetTitle: "Paiement auprès du service",
  noPayment: "Cette commande n’a pas été payée via la page de paiement hébergée.",
  pageTitle: "Paiements à vérifier",
  pageDescription: "Paiements reçus sans commande correspondante. Tous les autres sont traités automatiquement.",
  filters: { review: "À vérifier", refunded: "Remboursés", all: "Tous" },
  emptyList: {
    review: "Aucun paiement à vérifier : chaque paiement a sa commande.",
    refunded: "Aucun paiement remboursé pour l’instant.",
    all: "Aucun paiement pour l’instant.",
  },
  deadLetterJobs: (count) =>
    count === 1
      ? "Une tâche a échoué pendant plusieurs jours et a été arrêtée. Consultez-la avec « tillkit jobs --dead-letter »."
      : `${count} tâches ont échoué pendant plusieurs jours et ont été arrêtées. Consultez-les avec « tillkit jobs --dead-letter ».`,
  orphanWebhooks: (count) =>
    count === 1
      ? "Un webhook concerne un paiement de cette boutique absent de sa base de données. Consultez le tableau de bord du service de paiement."
      : `${count} webhooks concernent des paiements de cette boutique absents de sa base de données. Consultez le tableau de bord du service de paiement.`,
  loadMore: "Afficher la suite",
  testMode: "Test",
  payment: "Paiement",
  checkoutSession: "Session de paiement",
  transaction: "Transaction",
  paymentCollection: "Collection de paiement",
  order: "Commande",
  noOrder: "Aucune",
  startedAt: "Créé le",
  refunds: "Remboursements",
  refundStates: {
    requested: "demandé",
    unknown: "sans réponse pour l’instant",
    pending: "en cours",
    completed: "effectué",
    failed: "échoué",
  },
  timeline: "Historique",
  findingLabel: "À vérifier\u00a0",
  check: "Vérifier maintenant",
  checked: "Le paiement vient d’être vérifié auprès du service.",
  accept: "Accepter la différence",
  acceptQuestion: "Accepter ce paiement pour la commande malgré la différence ?",
  refund: "Rembourser",
  refundQuestion: "Rembourser au client la totalité du montant reçu ?",
  yes: "Oui",
  no: "Non",
  failed: "La demande a échoué.",
  states: {
    intent: "Créé",
    open: "En attente du client",
    superseded: "Remplacé",
    expired: "Expiré",
    closed: "Non payé",
    verified: "Payé, commande en cours",
    recorded: "Payé",
    review: "À vérifier",
    duplicate: "Payé deux fois",
    refunding: "Remboursement en cours",
    refunded: "Remboursé",
  },
};

export const ADMIN_TEXTS: Readonly<Record<AdminLanguage, AdminTexts>> = { en: english, fr: french };
