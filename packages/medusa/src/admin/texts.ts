import type { DecisionBody } from "../admin-api/decide-payment.ts";

export type AdminLanguage = "fr" | "en";

export type AdminTexts = {
  readonly widgetTitle: string;
  readonly noPayment: string;
  readonly pageTitle: string;
  readonly pageDescription: string;
  readonly filters: Readonly<Record<"review" | "refunded" | "all", string>>;
  readonly emptyList: Readonly<Record<"review" | "refunded" | "all", string>>;
  readonly copy: {
    readonly text: (copy: { readonly address: string; readonly original: string }) => string;
    readonly moved: string;
    readonly isCopy: string;
  };
  readonly deadLetterJobs: (count: number) => string;
  readonly orphanWebhooks: (count: number) => string;
  readonly loading: string;
  readonly loadMore: string;
  readonly search: string;
  readonly nothingFound: string;
  readonly testMode: string;
  readonly receivedOf: (received: string, asked: string) => string;
  readonly problem: string;
  /** Medusa adds a colon without a space. */
  readonly problemLabel: string;
  readonly details: string;
  readonly method: string;
  readonly fee: string;
  readonly net: string;
  readonly openAtService: string;
  readonly customer: string;
  readonly items: string;
  readonly cart: string;
  readonly payment: string;
  readonly checkoutSession: string;
  readonly transaction: string;
  readonly paymentCollection: string;
  readonly order: string;
  readonly noOrder: string;
  readonly startedAt: string;
  readonly refunds: string;
  readonly refundStates: Readonly<Record<string, string>>;
  /** A failed refund that the owner settled outside the service. */
  readonly refundSettled: string;
  readonly timeline: string;
  /** Medusa adds a colon without a space. */
  readonly findingLabel: string;
  readonly check: string;
  readonly place: string;
  readonly placeQuestion: (received: string) => string;
  /** The cart costs something else than was paid. */
  readonly placeOtherTotalQuestion: (received: string, total: string) => string;
  readonly notPlaced: string;
  readonly cartSoldOut: string;
  readonly cartCosts: (total: string) => string;
  readonly waitingLabel: string;
  readonly nextTry: (time: string) => string;
  readonly settle: string;
  readonly settleHint: (amount: string) => string;
  readonly settleReason: string;
  readonly settleConfirm: string;
  readonly accept: string;
  /** `left`: what is left of the amount received after refunds; null without a refund. */
  readonly acceptQuestion: (received: string, asked: string, left: string | null) => string;
  readonly refundAmount: (amount: string) => string;
  readonly refundQuestion: (amount: string) => string;
  readonly sendAgain: (amount: string) => string;
  readonly sendAgainQuestion: (amount: string) => string;
  readonly lookedInDashboard: (amount: string) => string;
  readonly refundWasMade: string;
  readonly refundWasNotMade: string;
  readonly disputeWon: string;
  readonly disputeLost: string;
  readonly nameTransaction: string;
  readonly noCandidates: string;
  readonly thisTransaction: string;
  readonly transactionQuestion: (transaction: string, amount: string) => string;
  readonly refundOverDispute: string;
  readonly overDisputeHint: (disputed: string, atMost: string) => string;
  readonly overDisputeQuestion: (amount: string, disputed: string) => string;
  readonly amount: string;
  readonly furtherTransaction: (amount: string, transaction: string) => string;
  readonly refundFurther: (amount: string, transaction: string) => string;
  readonly checked: string;
  /** Shown after a decision of this kind was carried out; `decisionKept` for every other kind. */
  readonly decided: Readonly<Partial<Record<DecisionBody["kind"], string>>>;
  readonly decisionKept: string;
  /** The service has not answered a refund. */
  readonly refundUnanswered: string;
  readonly no: string;
  readonly failed: string;
  readonly states: Readonly<Record<string, string>>;
};

const english: AdminTexts = {
  widgetTitle: "Payment at the service",
  noPayment: "This order was not paid through the hosted checkout.",
  pageTitle: "Payments to review",
  pageDescription:
    "Payments without an order, refunds that failed, and money about which you must decide. All other payments are handled automatically.",
  filters: { review: "To review", refunded: "Refunded", all: "All" },
  emptyList: {
    review: "There is nothing to review: every payment has its order, and no refund failed.",
    refunded: "There are no refunded payments yet.",
    all: "There are no payments yet.",
  },
  copy: {
    text: ({ address, original }) =>
      `${address} looks like a copy of ${original}: nothing is refunded from here until you say whether the shop moved.`,
    moved: "The shop moved here, or has this address too",
    isCopy: "This is a copy",
  },
  deadLetterJobs: (count) =>
    count === 1
      ? "One background job failed for days and was stopped. Inspect it with “tillkit jobs --dead-letter”."
      : `${count} background jobs failed for days and were stopped. Inspect them with “tillkit jobs --dead-letter”.`,
  orphanWebhooks: (count) =>
    count === 1
      ? "One webhook reported a payment of this store that is missing in its database. Check the payment service’s dashboard."
      : `${count} webhooks reported payments of this store that are missing in its database. Check the payment service’s dashboard.`,
  loading: "Loading the payments…",
  loadMore: "Load more",
  search: "Order number, customer’s e-mail, or an id",
  nothingFound: "No payment matches. Search for a whole e-mail address, order number or id.",
  testMode: "Test",
  receivedOf: (received, asked) => `${received} received, ${asked} asked`,
  problem: "Needs attention",
  problemLabel: "Needs attention",
  details: "Method, fee and ids",
  method: "Paid with",
  fee: "Fee",
  net: "Net",
  openAtService: "Open at the service",
  customer: "Customer",
  items: "Items",
  cart: "Cart",
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
  refundSettled: "settled another way",
  timeline: "Timeline",
  findingLabel: "Needs review",
  check: "Check now",
  place: "Place the order",
  placeQuestion: (received) =>
    `The cart is still open and costs ${received}, as was paid. Medusa places its order with this payment.`,
  placeOtherTotalQuestion: (received, total) =>
    `${received} arrived, and the cart costs ${total} now. The payment is attached to the cart again; then you decide whether to accept the difference.`,
  notPlaced: "The order is not placed yet: read what the payment waits for.",
  cartSoldOut: "An item of the cart is sold out, so Medusa cannot place the order. Restock it, or refund the payment.",
  cartCosts: (total) => `The cart costs ${total} now.`,
  waitingLabel: "Waiting",
  nextTry: (time) => `Next try: ${time}.`,
  settle: "Settled another way",
  settleHint: (amount) =>
    `Use this only if the shopper has ${amount} back, in cash for example. Nothing is sent to the service; the reason and your user are kept with the payment.`,
  settleReason: "How it was settled, for example: in cash on 12 March",
  settleConfirm: "Take it off the list",
  accept: "Accept and place the order",
  acceptQuestion: (received, asked, left) =>
    `${received} arrived${left === null ? "" : `, ${left} of it is left after refunds,`} and ${asked} was asked. If you accept, the order is placed as paid, and you do not collect the difference.`,
  refundAmount: (amount) => `Refund ${amount}`,
  refundQuestion: (amount) => `${amount} goes back to the shopper. This cannot be undone.`,
  sendAgain: (amount) => `Send the refund of ${amount} again`,
  sendAgainQuestion: (amount) =>
    `The earlier refund failed and the shopper received nothing. ${amount} is sent again; Medusa keeps showing one refund.`,
  lookedInDashboard: (amount) => `I have looked in the service’s dashboard: the refund of ${amount}`,
  refundWasMade: "was made",
  refundWasNotMade: "was not made",
  disputeWon: "I won this dispute",
  disputeLost: "I lost this dispute",
  nameTransaction: "Which transaction paid this payment?",
  noCandidates: "The service shows no transaction that fits this payment.",
  thisTransaction: "This one paid it",
  transactionQuestion: (transaction, amount) =>
    `Did the transaction ${transaction} of ${amount} pay this payment? Its refunds will go to the shopper of this transaction.`,
  refundOverDispute: "Refund despite the dispute",
  overDisputeHint: (disputed, atMost) =>
    `${disputed} is disputed: if you refund it and lose the dispute, the money leaves twice. At most ${atMost}.`,
  overDisputeQuestion: (amount, disputed) =>
    `${amount} goes back to the shopper although ${disputed} is disputed. This cannot be undone.`,
  amount: "Amount",
  furtherTransaction: (amount, transaction) =>
    `The payment page received another payment of ${amount} (${transaction}): it is the customer’s, and can be refunded by itself.`,
  refundFurther: (amount, transaction) => `Refund ${amount} of ${transaction}`,
  checked: "The payment was just read from the service.",
  decided: {
    accept: "The payment was accepted.",
    place: "The order was placed.",
    refund: "The refund was sent.",
    sendAgain: "The refund was sent again.",
    settledOutside: "The refund counts as settled.",
  },
  decisionKept: "Your decision is kept with the payment.",
  refundUnanswered:
    "The payment service has not answered whether it made the refund. It is asked again automatically, and nothing is refunded twice.",
  no: "Cancel",
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
  pageDescription:
    "Paiements sans commande, remboursements échoués et argent à propos duquel vous devez décider. Tous les autres sont traités automatiquement.",
  filters: { review: "À vérifier", refunded: "Remboursés", all: "Tous" },
  emptyList: {
    review: "Rien à vérifier : chaque paiement a sa commande et aucun remboursement n’a échoué.",
    refunded: "Aucun paiement remboursé pour l’instant.",
    all: "Aucun paiement pour l’instant.",
  },
  copy: {
    text: ({ address, original }) =>
      `${address} ressemble à une copie de ${original} : rien n’est remboursé d’ici tant que vous ne dites pas si la boutique a déménagé.`,
    moved: "La boutique a déménagé ici, ou a aussi cette adresse",
    isCopy: "C’est une copie",
  },
  deadLetterJobs: (count) =>
    count === 1
      ? "Une tâche a échoué pendant plusieurs jours et a été arrêtée. Consultez-la avec « tillkit jobs --dead-letter »."
      : `${count} tâches ont échoué pendant plusieurs jours et ont été arrêtées. Consultez-les avec « tillkit jobs --dead-letter ».`,
  orphanWebhooks: (count) =>
    count === 1
      ? "Un webhook concerne un paiement de cette boutique absent de sa base de données. Consultez le tableau de bord du service de paiement."
      : `${count} webhooks concernent des paiements de cette boutique absents de sa base de données. Consultez le tableau de bord du service de paiement.`,
  loading: "Chargement des paiements…",
  loadMore: "Afficher la suite",
  search: "Numéro de commande, e-mail du client ou identifiant",
  nothingFound:
    "Aucun paiement trouvé. Saisissez une adresse e-mail, un numéro de commande ou un identifiant complets.",
  testMode: "Test",
  receivedOf: (received, asked) => `${received} reçus, ${asked} demandés`,
  problem: "À traiter",
  problemLabel: "À traiter\u00a0",
  details: "Moyen de paiement, frais et identifiants",
  method: "Payé avec",
  fee: "Frais",
  net: "Net",
  openAtService: "Ouvrir chez le service",
  customer: "Client",
  items: "Articles",
  cart: "Panier",
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
  refundSettled: "réglé autrement",
  timeline: "Historique",
  findingLabel: "À vérifier\u00a0",
  check: "Vérifier maintenant",
  place: "Valider la commande",
  placeQuestion: (received) =>
    `Le panier est encore ouvert et coûte ${received}, la somme payée. Medusa valide sa commande avec ce paiement.`,
  placeOtherTotalQuestion: (received, total) =>
    `${received} ont été reçus, et le panier coûte maintenant ${total}. Le paiement est rattaché au panier ; vous décidez ensuite d’accepter ou non l’écart.`,
  notPlaced: "La commande n’est pas encore validée : lisez ce que le paiement attend.",
  cartSoldOut:
    "Un article du panier est épuisé : Medusa ne peut pas valider la commande. Réapprovisionnez-le ou remboursez le paiement.",
  cartCosts: (total) => `Le panier coûte maintenant ${total}.`,
  waitingLabel: "En attente\u00a0",
  nextTry: (time) => `Prochaine tentative : ${time}.`,
  settle: "Réglé autrement",
  settleHint: (amount) =>
    `À utiliser seulement si le client a récupéré ${amount}, en espèces par exemple. Rien n’est envoyé au service ; le motif et votre compte sont conservés avec le paiement.`,
  settleReason: "Comment il a été réglé, par exemple : en espèces le 12 mars",
  settleConfirm: "Retirer de la liste",
  accept: "Accepter et valider la commande",
  acceptQuestion: (received, asked, left) =>
    `${received} ont été reçus${left === null ? "" : `, dont il reste ${left} après remboursement,`} et ${asked} étaient demandés. Si vous acceptez, la commande est enregistrée comme payée et la différence n’est pas réclamée.`,
  refundAmount: (amount) => `Rembourser ${amount}`,
  refundQuestion: (amount) => `${amount} seront rendus au client. Cette action est définitive.`,
  sendAgain: (amount) => `Renvoyer le remboursement de ${amount}`,
  sendAgainQuestion: (amount) =>
    `Le remboursement précédent a échoué et le client n’a rien reçu. ${amount} seront envoyés à nouveau ; Medusa continue d’afficher un seul remboursement.`,
  lookedInDashboard: (amount) => `J’ai regardé dans le tableau de bord du service : le remboursement de ${amount}`,
  refundWasMade: "a été effectué",
  refundWasNotMade: "n’a pas été effectué",
  disputeWon: "J’ai gagné cette contestation",
  disputeLost: "J’ai perdu cette contestation",
  nameTransaction: "Quelle transaction a réglé ce paiement ?",
  noCandidates: "Le service n’affiche aucune transaction qui corresponde à ce paiement.",
  thisTransaction: "Celle-ci l’a réglé",
  transactionQuestion: (transaction, amount) =>
    `La transaction ${transaction} de ${amount} a-t-elle réglé ce paiement ? Ses remboursements iront au client de cette transaction.`,
  refundOverDispute: "Rembourser malgré la contestation",
  overDisputeHint: (disputed, atMost) =>
    `${disputed} sont contestés : si vous les remboursez et perdez la contestation, l’argent part deux fois. Au plus ${atMost}.`,
  overDisputeQuestion: (amount, disputed) =>
    `${amount} seront rendus au client alors que ${disputed} sont contestés. Cette action est définitive.`,
  amount: "Montant",
  furtherTransaction: (amount, transaction) =>
    `La page de paiement a reçu un autre paiement de ${amount} (${transaction}) : il est au client, et peut être remboursé à part.`,
  refundFurther: (amount, transaction) => `Rembourser ${amount} de ${transaction}`,
  checked: "Le paiement vient d’être vérifié auprès du service.",
  decided: {
    accept: "Le paiement a été accepté.",
    place: "La commande a été validée.",
    refund: "Le remboursement a été envoyé.",
    sendAgain: "Le remboursement a été renvoyé.",
    settledOutside: "Le remboursement est considéré comme réglé.",
  },
  decisionKept: "Votre décision est conservée avec le paiement.",
  refundUnanswered:
    "Le service de paiement n’a pas répondu s’il a effectué le remboursement. Il est interrogé à nouveau automatiquement, et rien n’est remboursé deux fois.",
  no: "Annuler",
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
