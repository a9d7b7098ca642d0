import type { Language } from "@tillkit/core";

/** The columns of the lists, and what will stand in a list without rows. */
export type ListTexts = {
  readonly order: string;
  readonly amount: string;
  readonly state: string;
  readonly method: string;
  readonly store: string;
  readonly created: string;
  readonly requested: string;
  readonly opened: string;
  readonly reason: string;
  readonly origin: string;
  readonly deadline: string;
  readonly event: string;
  readonly endpoint: string;
  readonly tries: string;
  readonly received: string;
  readonly when: string;
  readonly who: string;
  readonly what: string;
  readonly about: string;
  readonly now: string;
  readonly choose: string;
  readonly chooseOne: (order: string) => string;
  readonly exportChosen: string;
  readonly forExcel: string;
  readonly remove: (filter: string) => string;
  readonly empty: Readonly<
    Record<
      "payments" | "filtered" | "refunds" | "disputes" | "deliveries" | "dead" | "acts",
      readonly [title: string, lead: string]
    >
  >;
};

const english: ListTexts = {
  order: "Order",
  amount: "Amount",
  state: "State",
  method: "Paid by",
  store: "Shop",
  created: "Started",
  requested: "Requested",
  opened: "Opened",
  reason: "Reason",
  origin: "From",
  deadline: "Evidence by",
  event: "Event",
  endpoint: "Endpoint",
  tries: "Tries",
  received: "Received",
  when: "When",
  who: "Who",
  what: "What",
  about: "About",
  now: "just now",
  choose: "Choose",
  chooseOne: (order) => `Choose the payment of order ${order}`,
  exportChosen: "Download the chosen payments (CSV)",
  forExcel: "for Excel",
  remove: (filter) => `Remove the filter ${filter}`,
  empty: {
    payments: ["No payment yet.", "Each checkout that a shopper starts will stand here, paid or not."],
    filtered: ["No payment matches.", "Remove a filter to see more."],
    refunds: [
      "No refund yet.",
      "Each refund will stand here, whether it was made here, in the shop or in the service’s dashboard.",
    ],
    disputes: [
      "No dispute.",
      "When a cardholder asks their bank for money back, the dispute will stand here with its deadline.",
    ],
    deliveries: ["No webhook.", "Each message of the service will stand here with what became of it."],
    dead: ["Nothing has stopped.", "A job that a person must retry will stand here with its reason."],
    acts: ["Nothing was done yet.", "Each login, decision and download will stand here with its name."],
  },
};

const french: ListTexts = {
  order: "Commande",
  amount: "Montant",
  state: "État",
  method: "Payé par",
  store: "Boutique",
  created: "Commencé le",
  requested: "Demandé le",
  opened: "Ouverte le",
  reason: "Motif",
  origin: "Origine",
  deadline: "Justificatifs avant",
  event: "Événement",
  endpoint: "Point de terminaison",
  tries: "Tentatives",
  received: "Reçu le",
  when: "Date",
  who: "Auteur",
  what: "Action",
  about: "Objet",
  now: "à l’instant",
  choose: "Choisir",
  chooseOne: (order) => `Choisir le paiement de la commande ${order}`,
  exportChosen: "Télécharger les paiements choisis (CSV)",
  forExcel: "pour Excel",
  remove: (filter) => `Retirer le filtre ${filter}`,
  empty: {
    payments: [
      "Aucun paiement pour l’instant.",
      "Chaque paiement commencé par un client apparaîtra ici, abouti ou non.",
    ],
    filtered: ["Aucun paiement ne correspond.", "Retirez un filtre pour en voir plus."],
    refunds: [
      "Aucun remboursement.",
      "Chaque remboursement apparaîtra ici, décidé ici, dans la boutique ou dans le tableau de bord du service.",
    ],
    disputes: [
      "Aucune contestation.",
      "Quand le titulaire d’une carte demande à sa banque de récupérer l’argent, la contestation apparaîtra ici avec sa date limite.",
    ],
    deliveries: ["Aucun webhook.", "Chaque message du service apparaîtra ici, avec ce qu’il est devenu."],
    dead: ["Rien n’est arrêté.", "Une tâche à relancer par une personne apparaîtra ici avec sa raison."],
    acts: ["Rien n’a encore été fait.", "Chaque connexion, décision et téléchargement apparaîtra ici avec son auteur."],
  },
};

export const listTexts: Readonly<Record<Language, ListTexts>> = { en: english, fr: french };
