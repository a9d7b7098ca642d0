import type { Language } from "@tillkit/core";

/** Questions that only a person can answer, because the service does not: each has a page with two or more answers. */
export type AnswerTexts = {
  readonly refund: {
    readonly heading: string;
    readonly lead: (amount: string) => string;
    /** The link to the page of the two answers. */
    readonly link: string;
    readonly question: (amount: string) => string;
    readonly how: string;
    readonly requested: string;
    readonly transaction: string;
    readonly made: string;
    readonly notMade: string;
    readonly after: string;
  };
  readonly dispute: {
    readonly lead: string;
    readonly link: string;
    readonly question: string;
    readonly how: string;
    readonly won: string;
    readonly lost: string;
  };
  readonly transaction: {
    readonly question: string;
    readonly lead: string;
    readonly none: string;
    readonly after: string;
    readonly button: string;
  };
};

const english: AnswerTexts = {
  refund: {
    heading: "A refund without an answer",
    lead: (amount) =>
      `The service has not answered the refund of ${amount}, and its lists do not show what became of it. Until that is known, nothing else of this payment is refunded.`,
    link: "I have looked in the dashboard …",
    question: (amount) => `Was the refund of ${amount} made?`,
    how: "Look in the service’s dashboard for a refund of this amount, of this transaction, at about this time. Your answer ends the refund; the timeline shows your name.",
    requested: "Requested",
    transaction: "Transaction",
    made: "It was made",
    notMade: "It was not made",
    after:
      "If you answer “It was not made” although it was, the next refund sends the money a second time. Wait if the dashboard shows it in progress.",
  },
  dispute: {
    lead: "The service did not report who won. The amount counts as lost until you say otherwise.",
    link: "We know how it ended …",
    question: "How did this dispute end?",
    how: "Look in the service’s dashboard. If you won it, its money is available again; if you lost it, the cardholder has got it. Your answer and your name stay in the timeline.",
    won: "We won it",
    lost: "We lost it",
  },
  transaction: {
    question: "Which transaction paid this order?",
    lead: "The service names no transaction for this payment page. These transactions fit its amount and its time. Compare code and time with the service’s dashboard or the customer’s receipt.",
    none: "The service shows no transaction that fits: none of this amount, currency and time. Look in its dashboard, and try again later.",
    after:
      "Refunds of this order go to the person who made this transaction. The choice is made once; your name stays in the timeline.",
    button: "This transaction paid the order",
  },
};

const french: AnswerTexts = {
  refund: {
    heading: "Un remboursement sans réponse",
    lead: (amount) =>
      `Le service n’a pas répondu au remboursement de ${amount}, et ses listes ne montrent pas ce qu’il est devenu. D’ici là, rien d’autre de ce paiement n’est remboursé.`,
    link: "J’ai regardé dans le tableau de bord …",
    question: (amount) => `Le remboursement de ${amount} a-t-il été effectué ?`,
    how: "Cherchez dans le tableau de bord du service un remboursement de ce montant, de cette transaction, vers cette heure. Votre réponse clôt le remboursement ; l’historique indique votre nom.",
    requested: "Demandé",
    transaction: "Transaction",
    made: "Il a été effectué",
    notMade: "Il n’a pas été effectué",
    after:
      "Si vous répondez « Il n’a pas été effectué » alors qu’il l’a été, le prochain remboursement renvoie l’argent une seconde fois. Attendez si le tableau de bord le montre en cours.",
  },
  dispute: {
    lead: "Le service n’a pas indiqué qui a gagné. Le montant compte comme perdu tant que vous n’indiquez pas le contraire.",
    link: "Nous en connaissons l’issue …",
    question: "Comment cette contestation s’est-elle terminée ?",
    how: "Regardez dans le tableau de bord du service. Si vous l’avez gagnée, son argent est de nouveau disponible ; si vous l’avez perdue, le titulaire de la carte l’a reçu. Votre réponse et votre nom restent dans l’historique.",
    won: "Nous l’avons gagnée",
    lost: "Nous l’avons perdue",
  },
  transaction: {
    question: "Quelle transaction a payé cette commande ?",
    lead: "Le service ne nomme aucune transaction pour cette page de paiement. Celles-ci concordent par le montant et l’heure. Comparez le code et l’heure avec le tableau de bord du service ou le reçu du client.",
    none: "Le service ne montre aucune transaction qui concorde par le montant, la devise et l’heure. Regardez dans son tableau de bord, et réessayez plus tard.",
    after:
      "Les remboursements de cette commande vont à la personne à l’origine de cette transaction. Le choix se fait une seule fois ; votre nom reste dans l’historique.",
    button: "Cette transaction a payé la commande",
  },
};

export const answerTexts: Readonly<Record<Language, AnswerTexts>> = { en: english, fr: french };
