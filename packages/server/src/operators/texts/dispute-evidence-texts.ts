import type { Language } from "@tillkit/core";

/** What a shop sends as evidence, by the reason of a dispute. */
export type EvidenceTexts = {
  readonly whatToSend: string;
  readonly byReason: Readonly<Record<string, string>>;
  readonly other: string;
};

const english: EvidenceTexts = {
  whatToSend: "What to send:",
  byReason: {
    product_not_received:
      "the proof of delivery with address and date, the carrier’s tracking page, and messages in which the customer confirms it.",
    product_unacceptable:
      "the description and pictures of the product as it was sold, your return policy, and your messages with the customer.",
    fraudulent:
      "what shows that the cardholder ordered: the delivery to their address, earlier orders that they paid, your messages with them.",
    duplicate: "the invoices of both payments, to show that they are two orders, or the refund of one of them.",
    credit_not_processed: "the refund if it was made, or your return policy and why no refund was due.",
    subscription_canceled:
      "the terms that the customer accepted, the use after the cancellation date, and your messages.",
  },
  other: "the order, the invoice, the proof of delivery, and your messages with the customer.",
};

const french: EvidenceTexts = {
  whatToSend: "Que joindre :",
  byReason: {
    product_not_received:
      "la preuve de livraison avec adresse et date, le suivi du transporteur et les messages où le client confirme la réception.",
    product_unacceptable:
      "la description et les photos du produit tel qu’il a été vendu, vos conditions de retour et vos échanges avec le client.",
    fraudulent:
      "ce qui montre que le titulaire de la carte a commandé : livraison à son adresse, commandes antérieures payées, échanges avec lui.",
    duplicate:
      "les factures des deux paiements, pour montrer qu’il s’agit de deux commandes, ou le remboursement de l’un d’eux.",
    credit_not_processed:
      "le remboursement s’il a été effectué, ou vos conditions de retour et pourquoi rien n’était dû.",
    subscription_canceled:
      "les conditions acceptées par le client, l’usage après la date de résiliation et vos échanges avec lui.",
  },
  other: "la commande, la facture, la preuve de livraison et vos échanges avec le client.",
};

export const evidenceTexts: Readonly<Record<Language, EvidenceTexts>> = { en: english, fr: french };
