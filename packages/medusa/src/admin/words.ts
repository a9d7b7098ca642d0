export type AdminLanguage = "fr" | "en";

export type AdminWords = {
  readonly widget: string;
  readonly noPayment: string;
  readonly page: string;
  readonly pageHint: string;
  readonly shows: Readonly<Record<"attention" | "refunded" | "all", string>>;
  readonly nothing: Readonly<Record<"attention" | "refunded" | "all", string>>;
  readonly givenUp: (count: number) => string;
  readonly orphanWebhooks: (count: number) => string;
  readonly more: string;
  readonly test: string;
  readonly payment: string;
  readonly session: string;
  readonly transaction: string;
  readonly cart: string;
  readonly order: string;
  readonly noOrder: string;
  readonly since: string;
  readonly refunds: string;
  readonly refundStates: Readonly<Record<string, string>>;
  readonly history: string;
  /** Medusa puts a colon right behind it. */
  readonly findingLabel: string;
  readonly check: string;
  readonly checked: string;
  readonly accept: string;
  readonly acceptAsk: string;
  readonly refund: string;
  /** No amount: what arrived may differ from what was asked. */
  readonly refundAsk: string;
  readonly yes: string;
  readonly no: string;
  readonly failed: string;
  readonly states: Readonly<Record<string, string>>;
};

const english: AdminWords = {
  widget: "Payment at the service",
  noPayment: "This order was not paid through the hosted checkout.",
  page: "Payments to look at",
  pageHint: "Money that has arrived and pays no order yet. Everything else goes its way by itself.",
  shows: { attention: "Need a look", refunded: "Given back", all: "All" },
  nothing: {
    attention: "Nothing needs a look: every payment has its order.",
    refunded: "Nothing was given back yet.",
    all: "There has been no payment yet.",
  },
  givenUp: (count) =>
    count === 1
      ? "One piece of work was given up after days of tries: look at it with “tillkit jobs --dead”."
      : `${count} pieces of work were given up after days of tries: look at them with “tillkit jobs --dead”.`,
  orphanWebhooks: (count) =>
    count === 1
      ? "One webhook was about a payment of ours that these books do not hold: look at the service’s dashboard."
      : `${count} webhooks were about payments of ours that these books do not hold: look at the service’s dashboard.`,
  more: "Show more",
  test: "Test",
  payment: "Payment",
  session: "Checkout session",
  transaction: "Transaction",
  cart: "Payment collection",
  order: "Order",
  noOrder: "None",
  since: "Begun",
  refunds: "Refunds",
  refundStates: {
    asked: "being asked for",
    unknown: "no answer yet",
    pending: "under way",
    completed: "done",
    failed: "failed",
  },
  history: "History",
  findingLabel: "Needs a look",
  check: "Check now",
  checked: "Read from the service just now.",
  accept: "Accept the difference",
  acceptAsk: "Let this payment pay the order in spite of the difference?",
  refund: "Give the money back",
  refundAsk: "Send all the money that arrived back to the shopper?",
  yes: "Yes",
  no: "No",
  failed: "That did not work.",
  states: {
    intent: "Begun",
    open: "Waits for the shopper",
    superseded: "Replaced",
    expired: "Expired",
    closed: "Not paid",
    verified: "Paid, order under way",
    recorded: "Paid",
    review: "Needs a look",
    duplicate: "Paid twice",
    refunding: "Being given back",
    refunded: "Given back",
  },
};

const french: AdminWords = {
  widget: "Paiement auprès du service",
  noPayment: "Cette commande n’a pas été payée via la page de paiement hébergée.",
  page: "Paiements à vérifier",
  pageHint: "L’argent reçu qui ne paie encore aucune commande. Tout le reste suit son cours sans vous.",
  shows: { attention: "À vérifier", refunded: "Remboursés", all: "Tous" },
  nothing: {
    attention: "Rien à vérifier : chaque paiement a sa commande.",
    refunded: "Rien n’a encore été remboursé.",
    all: "Il n’y a encore eu aucun paiement.",
  },
  givenUp: (count) =>
    count === 1
      ? "Une tâche a été abandonnée après plusieurs jours d’essais : examinez-la avec « tillkit jobs --dead »."
      : `${count} tâches ont été abandonnées après plusieurs jours d’essais : examinez-les avec « tillkit jobs --dead ».`,
  orphanWebhooks: (count) =>
    count === 1
      ? "Un webhook concernait un paiement de cette boutique absent de ces registres : consultez le tableau de bord du service."
      : `${count} webhooks concernaient des paiements de cette boutique absents de ces registres : consultez le tableau de bord du service.`,
  more: "Afficher la suite",
  test: "Test",
  payment: "Paiement",
  session: "Session de paiement",
  transaction: "Transaction",
  cart: "Collection de paiement",
  order: "Commande",
  noOrder: "Aucune",
  since: "Commencé",
  refunds: "Remboursements",
  refundStates: {
    asked: "en cours de demande",
    unknown: "sans réponse pour l’instant",
    pending: "en cours",
    completed: "effectué",
    failed: "échoué",
  },
  history: "Historique",
  findingLabel: "À vérifier\u00a0",
  check: "Vérifier maintenant",
  checked: "Vérifié auprès du service à l’instant.",
  accept: "Accepter la différence",
  acceptAsk: "Enregistrer la commande avec ce paiement malgré la différence ?",
  refund: "Rendre l’argent",
  refundAsk: "Rendre au client tout l’argent reçu ?",
  yes: "Oui",
  no: "Non",
  failed: "Cela n’a pas fonctionné.",
  states: {
    intent: "Commencé",
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

export const WORDS: Readonly<Record<AdminLanguage, AdminWords>> = { en: english, fr: french };
