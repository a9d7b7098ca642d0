import { type Language, providerName } from "@tillkit/core";

export type PaymentTexts = {
  readonly fee: string;
  readonly net: string;
  readonly netHint: string;
  readonly refunded: string;
  readonly partlyRefunded: string;
  readonly leftOfRefunds: (amount: string) => string;
  readonly method: string;
  readonly noMethod: string;
  readonly customer: string;
  readonly received: string;
  /** The number by which a shopper names the payment. */
  readonly receipt: (number: string) => string;
  readonly openInShop: string;
  readonly openSession: string;
  readonly webhook: string;
  /** The link to the content of a webhook. */
  readonly body: string;
  readonly delay: (seconds: string) => string;
  readonly next: string;
  readonly nextAt: (at: string) => string;
  readonly now: string;
  readonly bodyHeading: string;
  readonly bodyLead: string;
  readonly bodyRemoved: string;
  readonly bodyUnreadable: string;
  /** Stands for each removed value in the content of a webhook. */
  readonly removed: string;
  readonly noDelivery: string;
  readonly zone: string;
  readonly zoneLead: string;
  readonly zoneButton: string;
};

const english: PaymentTexts = {
  fee: "Fee",
  net: "Net",
  netHint: "after fee, refunds and disputes",
  refunded: "Refunded",
  partlyRefunded: "Refunded in part",
  leftOfRefunds: (amount) => `${amount} left`,
  method: "Paid by",
  noMethod: "not known",
  customer: "Customer at the service",
  received: "Received",
  receipt: (number) => `receipt\u00a0${number}`,
  openInShop: "Open the order in the shop",
  openSession: "Open the payment page",
  webhook: "Webhook",
  body: "Show its content",
  delay: (seconds) => `arrived after ${seconds} s`,
  next: "What happens next",
  nextAt: (at) => `at ${at}`,
  now: "now",
  bodyHeading: "Content of a webhook",
  bodyLead: "Names, e-mails, phones and texts of the shopper are removed here.",
  bodyRemoved: "The content was removed with the personal data of its payment.",
  bodyUnreadable: "The content cannot be read as JSON, so nothing of it is shown.",
  removed: "[removed]",
  noDelivery: "This ledger contains no such webhook.",
  zone: "Time zone",
  zoneLead: "All times of these pages are shown in this zone, in this browser.",
  zoneButton: "Use this zone",
};

const french: PaymentTexts = {
  fee: "Frais",
  net: "Net",
  netHint: "après frais, remboursements et contestations",
  refunded: "Remboursé",
  partlyRefunded: "Remboursé en partie",
  leftOfRefunds: (amount) => `reste ${amount}`,
  method: "Payé par",
  noMethod: "inconnu",
  customer: "Client chez le service",
  received: "Reçu",
  receipt: (number) => `reçu\u00a0n°\u00a0${number}`,
  openInShop: "Ouvrir la commande dans la boutique",
  openSession: "Ouvrir la page de paiement",
  webhook: "Webhook",
  body: "Voir son contenu",
  delay: (seconds) => `arrivé après ${seconds} s`,
  next: "La suite",
  nextAt: (at) => `le ${at}`,
  now: "maintenant",
  bodyHeading: "Contenu d’un webhook",
  bodyLead: "Les noms, e-mails, téléphones et textes du client sont retirés ici.",
  bodyRemoved: "Le contenu a été supprimé avec les données personnelles de son paiement.",
  bodyUnreadable: "Le contenu n’est pas du JSON lisible : rien n’en est montré.",
  removed: "[retiré]",
  noDelivery: "Ce webhook n’est pas dans ce registre.",
  zone: "Fuseau horaire",
  zoneLead: "Toutes les heures de ces pages sont affichées dans ce fuseau, dans ce navigateur.",
  zoneButton: "Utiliser ce fuseau",
};

export const paymentTexts: Readonly<Record<Language, PaymentTexts>> = { en: english, fr: french };

/** The name by which shoppers know a payment method. */
export function methodText(method: string | null, language: Language): string {
  return method === null ? paymentTexts[language].noMethod : providerName(method, language);
}
