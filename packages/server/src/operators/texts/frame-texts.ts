import type { Environment, Language } from "@tillkit/core";

/** What stands around every page: the column on the left, and on a phone the bars above and below. */
export type FrameTexts = {
  readonly skip: string;
  readonly mode: string;
  readonly modes: Readonly<Record<Environment, string>>;
  /** Beside the name in test mode. */
  readonly testNote: string;
  /** The section of what concerns the machine rather than the money. */
  readonly technical: string;
  readonly technicalLead: string;
  readonly status: string;
  readonly more: string;
  readonly find: string;
  /** What a badge counts. */
  readonly held: (count: string) => string;
  readonly openDisputes: (count: string) => string;
  readonly stopped: (count: string) => string;
  readonly shortcuts: (areOn: boolean) => string;
  readonly shortcutsHint: string;
  /** The same search in the other mode. */
  readonly foundInOther: Readonly<Record<Environment, string>>;
  readonly otherLink: Readonly<Record<Environment, string>>;
  readonly errors: Readonly<Record<"unreadable" | "too_large" | "unavailable", string>>;
  readonly errorAdvice: Readonly<Record<"unreadable" | "too_large" | "unavailable", string>>;
  readonly toOverview: string;
  readonly again: string;
};

const english: FrameTexts = {
  skip: "Skip to the content",
  mode: "Mode",
  modes: { live: "Live", test: "Test" },
  testNote: "Test payments: no real money",
  technical: "Technical",
  technicalLead: "What the server does, for test and live payments together.",
  status: "State",
  more: "More",
  find: "Find",
  held: (count) => `${count} held`,
  openDisputes: (count) => `${count} open`,
  stopped: (count) => `${count} stopped`,
  shortcuts: (areOn) => (areOn ? "Shortcuts: on" : "Shortcuts: off"),
  shortcutsHint: "Press / to search, j and k to move through a list, Enter to open.",
  foundInOther: {
    live: "A live payment has this number. These pages show test payments now.",
    test: "A test payment has this number. These pages show live payments now.",
  },
  otherLink: { live: "Show the live payment", test: "Show the test payment" },
  errors: {
    unreadable: "This address cannot be read",
    too_large: "Too much was sent",
    unavailable: "The ledger does not answer",
  },
  errorAdvice: {
    unreadable: "Check the link: a part of it is missing or was changed.",
    too_large: "The form holds more than this server reads. Shorten what you wrote.",
    unavailable: "Try again in a minute. No payment is lost: what arrives meanwhile is read from the service later.",
  },
  toOverview: "To the overview",
  again: "Try again",
};

/** In French, 0 and 1 are singular. */
const isOne = (count: string) => count === "0" || count === "1";

const french: FrameTexts = {
  skip: "Aller au contenu",
  mode: "Mode",
  modes: { live: "Réel", test: "Test" },
  testNote: "Paiements de test : pas d’argent réel",
  technical: "Technique",
  technicalLead: "Ce que fait le serveur, pour les paiements de test et réels ensemble.",
  status: "État",
  more: "Plus",
  find: "Rechercher",
  held: (count) => `${count} à décider`,
  openDisputes: (count) => (isOne(count) ? `${count} ouverte` : `${count} ouvertes`),
  stopped: (count) => (isOne(count) ? `${count} arrêtée` : `${count} arrêtées`),
  shortcuts: (areOn) => (areOn ? "Raccourcis : activés" : "Raccourcis : désactivés"),
  shortcutsHint: "Touche / pour rechercher, j et k pour parcourir une liste, Entrée pour ouvrir.",
  foundInOther: {
    live: "Un paiement réel porte ce numéro. Ces pages montrent en ce moment les paiements de test.",
    test: "Un paiement de test porte ce numéro. Ces pages montrent en ce moment les paiements réels.",
  },
  otherLink: { live: "Voir ce paiement réel", test: "Voir ce paiement de test" },
  errors: {
    unreadable: "Cette adresse est illisible",
    too_large: "L’envoi est trop grand",
    unavailable: "Le registre ne répond pas",
  },
  errorAdvice: {
    unreadable: "Vérifiez le lien : il en manque une partie, ou elle a été modifiée.",
    too_large: "Le formulaire contient plus que ce serveur ne lit. Raccourcissez votre texte.",
    unavailable:
      "Réessayez dans une minute. Aucun paiement n’est perdu : ce qui arrive d’ici là sera lu plus tard auprès du service.",
  },
  toOverview: "Vers l’accueil",
  again: "Réessayer",
};

export const frameTexts: Readonly<Record<Language, FrameTexts>> = { en: english, fr: french };
