import type { Language } from "@tillkit/core";

/** Why a merchant refunds, as the service stores it in a refund's `reason`. */
export const REFUND_REASONS = [
  "requested_by_customer",
  "product_unavailable",
  "duplicate",
  "fraudulent",
  "other",
] as const;

export type RefundReason = (typeof REFUND_REASONS)[number];

export type RefundTexts = {
  readonly heading: string;
  readonly link: string;
  readonly lead: string;
  readonly paid: string;
  /** Amounts: refunded before, being refunded, and what can still be refunded. */
  readonly before: string;
  readonly pending: string;
  readonly left: string;
  readonly amount: string;
  readonly amountHint: (most: string) => string;
  readonly allDisputed: (disputed: string) => string;
  /** The choice between the transactions of one session. */
  readonly transaction: string;
  readonly overDisputeLead: string;
  readonly overDisputeButton: string;
  readonly overDisputeFinal: (disputed: string) => string;
  readonly reason: string;
  readonly chooseReason: string;
  readonly reasons: Readonly<Record<RefundReason, string>>;
  readonly next: string;
  readonly confirmHeading: (amount: string) => string;
  readonly thisRefund: string;
  readonly leftAfter: string;
  readonly decidedBy: string;
  readonly final: string;
  readonly shopRecords: string;
  readonly shopDoesNot: string;
  readonly button: (amount: string) => string;
  readonly change: string;
  readonly back: string;
  readonly amountUnreadable: (example: string) => string;
  readonly reasonMissing: string;
  readonly list: string;
  readonly listLead: string;
  /** Where a refund was requested. */
  readonly inDashboard: string;
  readonly inShop: string;
  readonly here: string;
};

const english: RefundTexts = {
  heading: "Refund",
  link: "Refund …",
  lead: "The service sends the money back to the payment method that was used.",
  paid: "Paid",
  before: "Refunded before",
  pending: "In progress",
  left: "Can be refunded",
  amount: "Amount to refund",
  amountHint: (most) => `At most ${most}. Enter less to refund a part.`,
  allDisputed: (disputed) => `Nothing is available: ${disputed} are disputed. A refund needs a second confirmation.`,
  transaction: "Transaction, with what is available of it",
  overDisputeLead:
    "The bank of the cardholder takes the disputed money by itself, or has taken it. If you refund it as well, the customer may get it twice. Ask the service first.",
  overDisputeButton: "Refund it all the same …",
  overDisputeFinal: (disputed) =>
    `${disputed} of this payment are disputed. You refund money that the dispute takes as well: the customer may get it twice.`,
  reason: "Reason",
  chooseReason: "Choose …",
  reasons: {
    requested_by_customer: "The customer asked for it",
    product_unavailable: "The product is not available",
    duplicate: "Paid twice by mistake",
    fraudulent: "Suspected fraud",
    other: "Another reason",
  },
  next: "Continue",
  confirmHeading: (amount) => `Refund ${amount}?`,
  thisRefund: "This refund",
  leftAfter: "Left after it",
  decidedBy: "Decided by",
  final: "A refund cannot be undone.",
  shopRecords: "The order in the shop shows the refund too.",
  shopDoesNot: "The shop is not told of refunds: note it on the order there, without sending the money again.",
  button: (amount) => `Refund ${amount}`,
  change: "Change",
  back: "No, go back",
  amountUnreadable: (example) => `Write the amount as digits, such as ${example}.`,
  reasonMissing: "Choose a reason.",
  list: "Refunds",
  listLead: "All refunds of all shops: from these pages, from the shop and from the service’s dashboard.",
  inDashboard: "made in the service’s dashboard",
  inShop: "requested in the shop",
  here: "decided in these pages",
};

const french: RefundTexts = {
  heading: "Remboursement",
  link: "Rembourser …",
  lead: "Le service renvoie l’argent par le moyen utilisé pour payer.",
  paid: "Payé",
  before: "Déjà remboursé",
  pending: "En cours",
  left: "Peut être remboursé",
  amount: "Montant à rembourser",
  amountHint: (most) => `Au plus ${most}. Saisissez moins pour un remboursement partiel.`,
  allDisputed: (disputed) =>
    `Rien n’est disponible : ${disputed} sont contestés. Un remboursement demande une seconde confirmation.`,
  transaction: "Transaction, avec ce qui en est disponible",
  overDisputeLead:
    "La banque du titulaire de la carte prend elle-même l’argent contesté, ou l’a déjà pris. Si vous le remboursez aussi, le client peut le recevoir deux fois. Demandez d’abord au service.",
  overDisputeButton: "Rembourser tout de même …",
  overDisputeFinal: (disputed) =>
    `${disputed} de ce paiement sont contestés. Vous remboursez de l’argent que la contestation prend aussi : le client peut le recevoir deux fois.`,
  reason: "Motif",
  chooseReason: "Choisir …",
  reasons: {
    requested_by_customer: "Demande du client",
    product_unavailable: "Produit indisponible",
    duplicate: "Payé deux fois par erreur",
    fraudulent: "Soupçon de fraude",
    other: "Autre motif",
  },
  next: "Continuer",
  confirmHeading: (amount) => `Rembourser ${amount} ?`,
  thisRefund: "Ce remboursement",
  leftAfter: "Reste ensuite",
  decidedBy: "Décidé par",
  final: "Un remboursement est définitif.",
  shopRecords: "La commande dans la boutique indiquera aussi ce remboursement.",
  shopDoesNot:
    "La boutique n’est pas informée des remboursements : notez-le sur la commande, sans renvoyer l’argent une seconde fois.",
  button: (amount) => `Rembourser ${amount}`,
  change: "Modifier",
  back: "Non, revenir",
  amountUnreadable: (example) => `Écrivez le montant en chiffres, par exemple ${example}.`,
  reasonMissing: "Choisissez un motif.",
  list: "Remboursements",
  listLead:
    "Tous les remboursements de toutes les boutiques : effectués ici, dans la boutique et dans le tableau de bord du service.",
  inDashboard: "effectué dans le tableau de bord du service",
  inShop: "demandé dans la boutique",
  here: "décidé ici",
};

export const refundTexts: Readonly<Record<Language, RefundTexts>> = { en: english, fr: french };
