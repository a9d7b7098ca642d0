import type { Language } from "@tillkit/core";

export type ProblemName =
  | "bad_shop"
  | "forged"
  | "too_old"
  | "bad_state"
  | "scopes_missing"
  | "shopify_silent"
  | "no_owner"
  | "form_expired";

/** `refund_lost`: paid back, and Shopify no longer takes the news. `not_told`: Shopify could not be told at all. */
export type ParkedCode = "refund_lost" | "not_told";

type Problem = { readonly title: string; readonly text: string };

/** What the owner of a shop reads on our pages in it. */
export type OwnerWords = {
  readonly problems: Readonly<Record<ProblemName, Problem>>;
  readonly title: string;
  readonly lead: string;
  readonly modes: Readonly<Record<"test" | "live", { readonly heading: string; readonly hint: string }>>;
  readonly apiKey: string;
  readonly webhookSecret: string;
  readonly webhookAddress: string;
  readonly isSet: string;
  readonly isNotSet: string;
  readonly keep: string;
  readonly gatewayName: string;
  readonly gatewayHint: string;
  readonly paused: string;
  readonly pausedHint: string;
  readonly save: string;
  readonly saved: string;
  readonly retried: string;
  readonly next: string;
  readonly activate: string;
  readonly mistakes: {
    readonly wrongMode: (mode: "test" | "live") => string;
    readonly notAKey: (mode: "test" | "live") => string;
    readonly notASecret: (mode: "test" | "live") => string;
    readonly both: (mode: "test" | "live") => string;
    readonly gateway: string;
    readonly notKept: string;
    readonly shopifySilent: string;
  };
  readonly attention: string;
  /** Work that waits for the owner; `about` is an amount and Shopify's id. */
  readonly parked: Readonly<Record<ParkedCode, (about: string) => string>>;
  readonly trouble: string;
  readonly tryAgain: string;
  readonly lines: Readonly<Record<"hold" | "note" | "refund" | "request", string>>;
  readonly linesHeading: string;
  readonly noLines: string;
  readonly sunset: (version: string) => string;
  readonly open: string;
};

const english: OwnerWords = {
  problems: {
    bad_shop: { title: "This is no shop of Shopify", text: "Open the app from the admin of your shop." },
    forged: {
      title: "This link is not valid",
      text: "It was changed on its way, or it is not from Shopify. Open the app from the admin of your shop.",
    },
    too_old: {
      title: "This link is too old",
      text: "Open the app from the admin of your shop. If this happens again, the clock of our server is wrong.",
    },
    bad_state: {
      title: "The installation was begun elsewhere",
      text: "Nothing was installed. Open the app from the admin of your shop and finish in the same browser.",
    },
    scopes_missing: {
      title: "A permission is missing",
      text: "The app needs all permissions it asked for, and nothing was installed. Open it from the admin of your shop and accept them.",
    },
    shopify_silent: {
      title: "Shopify did not answer",
      text: "Nothing is lost. Open the app again from the admin of your shop in a minute.",
    },
    no_owner: {
      title: "Open the app from your shop",
      text: "This page shows only the shop from whose admin it was opened, for two hours.",
    },
    form_expired: {
      title: "This form has expired",
      text: "Nothing was saved. Open the app again from the admin of your shop.",
    },
  },
  title: "Payment settings",
  lead: "Your shop takes payments with your own account at the payment service. Its keys are kept encrypted.",
  modes: {
    test: { heading: "Test mode", hint: "No real money. Used by test orders only." },
    live: { heading: "Live mode", hint: "Real money. Never used by test orders." },
  },
  apiKey: "Secret key",
  webhookSecret: "Webhook secret",
  webhookAddress: "Webhook address, to be entered at the payment service",
  isSet: "A key is kept.",
  isNotSet: "No key yet.",
  keep: "Leave both fields empty to keep what is there.",
  gatewayName: "Name of the manual payment method",
  gatewayHint: "Exactly as it stands in your shop under Settings, Payments. Orders with other methods are left alone.",
  paused: "Take no payments for now",
  pausedHint: "Payments that were begun before can still be completed.",
  save: "Save",
  saved: "Saved.",
  retried: "It is being tried again. Look here once more in a minute.",
  next: "If you have not done so yet, activate the payment method in your shop.",
  activate: "Activate in Shopify",
  mistakes: {
    wrongMode: (mode) => `The key given for ${mode} mode belongs to the other mode.`,
    notAKey: (mode) => `The key given for ${mode} mode is not a secret key: it begins with svc_sk_${mode}_.`,
    notASecret: (mode) => `The webhook secret given for ${mode} mode is none: it begins with whsec_.`,
    both: (mode) => `For ${mode} mode, give the secret key and the webhook secret together.`,
    gateway: "Give the name of the manual payment method.",
    notKept: "These settings could not be saved just now, at least not all of them. Look at them, then save again.",
    shopifySilent: "Saved, but Shopify could not be told yet. Save once more in a minute.",
  },
  attention: "This needs you",
  parked: {
    refund_lost: (about) =>
      `A refund was paid back, and Shopify no longer takes it: note it on the order by hand. ${about}`,
    not_told: (about) => `Shopify could not be told how a refund, capture or void ended: try again. ${about}`,
  },
  trouble: "Shopify no longer lets us in. Open the app again from the admin of your shop.",
  tryAgain: "Try again",
  lines: { hold: "To look at", note: "Note", refund: "Refund", request: "Request about a customer’s data" },
  linesHeading: "What happened",
  noLines: "Nothing that needs your attention.",
  sunset: (version) =>
    `Shopify no longer supports version ${version} of its API. Whoever runs this app must update it.`,
  open: "Open the settings",
};

const french: OwnerWords = {
  problems: {
    bad_shop: {
      title: "Ce n’est pas une boutique Shopify",
      text: "Ouvrez l’application depuis l’administration de votre boutique.",
    },
    forged: {
      title: "Ce lien n’est pas valable",
      text: "Il a été modifié en chemin ou ne vient pas de Shopify. Ouvrez l’application depuis l’administration de votre boutique.",
    },
    too_old: {
      title: "Ce lien est trop ancien",
      text: "Ouvrez l’application depuis l’administration de votre boutique. Si cela se répète, l’horloge de notre serveur est déréglée.",
    },
    bad_state: {
      title: "L’installation a été commencée ailleurs",
      text: "Rien n’a été installé. Ouvrez l’application depuis l’administration de votre boutique et terminez dans le même navigateur.",
    },
    scopes_missing: {
      title: "Il manque une autorisation",
      text: "L’application a besoin de toutes les autorisations demandées ; rien n’a été installé. Ouvrez-la depuis l’administration de votre boutique et acceptez-les.",
    },
    shopify_silent: {
      title: "Shopify n’a pas répondu",
      text: "Rien n’est perdu. Rouvrez l’application depuis l’administration de votre boutique dans une minute.",
    },
    no_owner: {
      title: "Ouvrez l’application depuis votre boutique",
      text: "Cette page ne montre que la boutique depuis laquelle elle a été ouverte, pendant deux heures.",
    },
    form_expired: {
      title: "Ce formulaire a expiré",
      text: "Rien n’a été enregistré. Rouvrez l’application depuis l’administration de votre boutique.",
    },
  },
  title: "Réglages du paiement",
  lead: "Votre boutique encaisse avec votre propre compte auprès du service de paiement. Ses clés sont conservées chiffrées.",
  modes: {
    test: { heading: "Mode test", hint: "Aucun argent réel. Sert uniquement aux commandes de test." },
    live: { heading: "Mode réel", hint: "De l’argent réel. Ne sert jamais aux commandes de test." },
  },
  apiKey: "Clé secrète",
  webhookSecret: "Secret du webhook",
  webhookAddress: "Adresse du webhook, à saisir auprès du service de paiement",
  isSet: "Une clé est enregistrée.",
  isNotSet: "Pas encore de clé.",
  keep: "Laissez les deux champs vides pour garder ce qui est enregistré.",
  gatewayName: "Nom du moyen de paiement manuel",
  gatewayHint:
    "Exactement comme dans votre boutique, sous Paramètres, Paiements. Les commandes réglées autrement ne sont pas touchées.",
  paused: "Ne plus encaisser pour le moment",
  pausedHint: "Les paiements déjà commencés peuvent encore aboutir.",
  save: "Enregistrer",
  saved: "C’est enregistré.",
  retried: "Un nouvel essai est en cours. Revenez voir ici dans une minute.",
  next: "Si ce n’est pas encore fait, activez le moyen de paiement dans votre boutique.",
  activate: "Activer dans Shopify",
  mistakes: {
    wrongMode: (mode) => `La clé indiquée pour le ${MODES[mode]} est celle de l’autre mode.`,
    notAKey: (mode) =>
      `La clé indiquée pour le ${MODES[mode]} n’est pas une clé secrète : elle commence par svc_sk_${mode}_.`,
    notASecret: (mode) =>
      `Le secret du webhook indiqué pour le ${MODES[mode]} n’en est pas un : il commence par whsec_.`,
    both: (mode) => `Pour le ${MODES[mode]}, indiquez ensemble la clé secrète et le secret du webhook.`,
    gateway: "Indiquez le nom du moyen de paiement manuel.",
    notKept:
      "Ces réglages n’ont pas pu être enregistrés pour l’instant, du moins pas tous. Vérifiez-les, puis enregistrez de nouveau.",
    shopifySilent:
      "C’est enregistré, mais Shopify n’a pas encore pu être averti. Enregistrez de nouveau dans une minute.",
  },
  attention: "Votre attention est nécessaire",
  parked: {
    refund_lost: (about) =>
      `Un remboursement a été versé, mais Shopify ne l’accepte plus : notez-le sur la commande à la main. ${about}`,
    not_told: (about) =>
      `Shopify n’a pas pu être averti de l’issue d’un remboursement, d’une capture ou d’une annulation : réessayez. ${about}`,
  },
  trouble: "Shopify ne nous laisse plus entrer. Rouvrez l’application depuis l’administration de votre boutique.",
  tryAgain: "Réessayer",
  lines: { hold: "À vérifier", note: "Note", refund: "Remboursement", request: "Demande sur les données d’un client" },
  linesHeading: "Ce qui s’est passé",
  noLines: "Rien qui demande votre attention.",
  sunset: (version) =>
    `Shopify ne prend plus en charge la version ${version} de son API. La personne qui gère cette application doit la mettre à jour.`,
  open: "Ouvrir les réglages",
};

const MODES = { test: "mode test", live: "mode réel" } as const;

export function ownerWords(language: Language): OwnerWords {
  return language === "fr" ? french : english;
}
