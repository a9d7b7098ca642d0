import type { AddressFault } from "@tillkit/client";
import type { OwnerTexts } from "./owner-texts.ts";

const MODES = { test: "mode test", live: "mode réel" } as const;

const LOGO_RULES: Readonly<Record<AddressFault["kind"], string>> = {
  not_absolute: "doit être une adresse entière, par exemple https://site.example/logo.png",
  not_https: "doit commencer par https://",
  has_user: "ne doit avoir ni nom d’utilisateur ni mot de passe : supprimez ce qui précède le @",
  has_query: "ne doit pas avoir de paramètres : supprimez le ? et la suite",
  has_fragment: "ne doit pas avoir d’ancre : supprimez le # et la suite",
};

/** The French texts of the pages that the owner of a shop reads. */
export const ownerTextsFr: OwnerTexts = {
  problems: {
    bad_shop: {
      title: "Ce n’est pas une boutique Shopify",
      text: "Ouvrez l’application depuis l’interface d’administration de votre boutique.",
    },
    forged: {
      title: "Ce lien n’est pas valable",
      text: "Le lien a été modifié ou ne vient pas de Shopify. Ouvrez l’application depuis l’interface d’administration de votre boutique.",
    },
    too_old: {
      title: "Ce lien a expiré",
      text: "Ouvrez l’application depuis l’interface d’administration de votre boutique. Si cela se reproduit, l’horloge de notre serveur est déréglée.",
    },
    bad_state: {
      title: "L’installation a été commencée dans un autre navigateur",
      text: "Rien n’a été installé. Ouvrez l’application depuis l’interface d’administration de votre boutique et terminez dans le même navigateur.",
    },
    scopes_missing: {
      title: "Il manque une autorisation",
      text: "L’application a besoin de toutes les autorisations demandées. Rien n’a été installé. Ouvrez-la depuis l’interface d’administration de votre boutique et acceptez-les.",
    },
    shopify_unavailable: {
      title: "Shopify n’a pas répondu",
      text: "Rien n’est perdu. Rouvrez l’application depuis l’interface d’administration de votre boutique dans une minute.",
    },
    not_signed_in: {
      title: "Ouvrez l’application depuis votre boutique",
      text: "Cette page affiche les réglages d’une seule boutique, pendant les deux heures qui suivent son ouverture depuis l’interface d’administration.",
    },
    form_expired: {
      title: "Ce formulaire a expiré",
      text: "Rien n’a été enregistré. Rouvrez l’application depuis l’interface d’administration de votre boutique.",
    },
  },
  title: "Réglages du paiement",
  lead: "Votre boutique encaisse avec votre propre compte auprès du service de paiement. Les clés de ce compte sont conservées chiffrées.",
  modes: {
    test: { heading: "Mode test", hint: "Sans argent réel. Seules les commandes de test utilisent ces clés." },
    live: { heading: "Mode réel", hint: "Avec de l’argent réel. Les commandes de test n’utilisent jamais ces clés." },
  },
  apiKey: "Clé secrète",
  webhookSecret: "Secret du webhook",
  webhookAddress: "Adresse du webhook, que l’application enregistre auprès du service de paiement",
  isSet: "Une clé est enregistrée.",
  isNotSet: "Aucune clé enregistrée.",
  keepKey: "Laissez les deux champs vides pour conserver la clé enregistrée.",
  webhookSecretHint: "Laissez ce champ vide : l’application crée elle-même son webhook auprès du service de paiement.",
  removeKey: "Supprimer cette clé",
  gatewayName: "Nom du moyen de paiement manuel",
  gatewayHint:
    "Exactement comme dans votre boutique, sous Paramètres, Paiements. Les commandes avec un autre moyen de paiement ne sont pas modifiées.",
  testGatewayName: "Nom d’un moyen de paiement pour les essais (facultatif)",
  testGatewayHint:
    "Un second moyen de paiement manuel, par exemple « Essai, ne pas utiliser ». Ses commandes sont payées avec la clé de test et ne coûtent rien. Désactivez-le dans Shopify avant que vos clients puissent le choisir.",
  logo: "Adresse de votre logo (facultatif)",
  logoHint:
    "Affiché sur les pages que vos clients voient après la page de paiement. Une adresse qui commence par https://, par exemple celle d’une image sous Contenu, Fichiers.",
  color: "Couleur des boutons (facultatif)",
  colorHint:
    "Six chiffres après #, comme dans votre thème. Le texte des boutons est noir ou blanc, selon ce qui se lit mieux.",
  nowPossible: {
    heading: "Ce qui fonctionne maintenant",
    development:
      "Cette boutique est une boutique de développement : toutes ses commandes sont des essais. Elles sont payées avec la clé de test et ne coûtent rien.",
    tests: (name) => `Les commandes avec « ${name} » sont des essais et ne coûtent rien.`,
    testsLackKey: "Les commandes d’essai ne peuvent pas encore être payées : saisissez la clé de test.",
    sales: (name) => `Les commandes avec « ${name} » sont payées avec de l’argent réel.`,
    salesLackKey: (name) =>
      `Les commandes avec « ${name} » ne peuvent pas encore être payées : saisissez la clé du mode réel.`,
    freeOrders: (name) =>
      `Les clients qui choisissent « ${name} » ne paient rien. Désactivez ce moyen de paiement dans Shopify une fois vos essais terminés.`,
    noTests:
      "Pour essayer un achat sans argent réel, saisissez la clé de test et le nom d’un moyen de paiement pour les essais.",
  },
  accessDenied: (operation) =>
    `Shopify refuse à cette application l’accès à une partie de votre boutique (${operation}). Dans les réglages de l’application chez Shopify, vérifiez l’accès aux données protégées des clients et les autorisations, puis enregistrez de nouveau ces réglages.`,
  paused: "Suspendre les encaissements",
  pausedHint: "Les paiements déjà commencés peuvent encore aboutir.",
  save: "Enregistrer",
  done: {
    saved: "Les réglages sont enregistrés.",
    retried: "Une nouvelle tentative est en cours. Actualisez cette page dans une minute.",
    ended: "Vous avez enregistré ce remboursement sur la commande : il ne reste rien à faire.",
    by_hand:
      "Rien n’a été fait : une nouvelle tentative n’y changerait rien. Enregistrez le remboursement à la main sur la commande, puis indiquez-le ici.",
    retryable: "Rien n’a été fait : une nouvelle tentative est possible.",
    under_way: "Rien n’a été fait : une nouvelle tentative est déjà en cours. Actualisez cette page dans une minute.",
    gone: "Rien n’a été fait : c’est terminé entre-temps.",
    removed:
      "La clé est supprimée. Supprimez aussi le webhook auprès du service de paiement. Les paiements encaissés avec cette clé ne peuvent plus être remboursés ici.",
    not_checked:
      "Les réglages sont enregistrés. Le service de paiement n’a pas répondu et la clé n’a pas pu être vérifiée. Saisissez-la de nouveau dans une minute pour la vérifier.",
    no_webhook:
      "Les réglages sont enregistrés. La clé fonctionne, mais aucun webhook ne mène encore à cette application : les paiements sont constatés plus tard. Saisissez de nouveau la clé en laissant le secret du webhook vide, et l’application créera son webhook.",
  },
  next: "Si ce n’est pas encore fait, activez le moyen de paiement dans votre boutique.",
  activate: "Activer dans Shopify",
  mistakes: {
    wrongMode: (mode) => `La clé saisie pour le ${MODES[mode]} est une clé de l’autre mode.`,
    notAKey: (mode) =>
      `La clé saisie pour le ${MODES[mode]} n’est pas une clé secrète. Une clé secrète commence par svc_sk_${mode}_.`,
    notASecret: (mode) =>
      `Le secret du webhook saisi pour le ${MODES[mode]} n’est pas valable. Il commence par whsec_.`,
    keyMissing: (mode) => `Pour le ${MODES[mode]}, saisissez aussi la clé secrète.`,
    refused: (mode) =>
      `Le service de paiement n’accepte pas la clé saisie pour le ${MODES[mode]}. Elle n’a pas été enregistrée.`,
    not_registered: (mode) =>
      `Le webhook du ${MODES[mode]} n’a pas pu être créé, et sa clé n’a donc pas été enregistrée. Enregistrez de nouveau dans une minute, ou saisissez vous-même l’adresse ci-dessous auprès du service de paiement et le secret du webhook ici.`,
    paymentsOpen: (mode) =>
      `Des paiements en ${MODES[mode]} ne sont pas terminés et ont encore besoin de cette clé. Suspendez les encaissements et supprimez la clé une fois ces paiements terminés (trois jours au plus).`,
    gateway: "Saisissez le nom du moyen de paiement manuel.",
    sameGateway: "Le moyen de paiement pour les essais doit porter un autre nom que celui qui encaisse.",
    logo: ({ kind }) => `L’adresse du logo ${LOGO_RULES[kind]}.`,
    color: "La couleur s’écrit avec # et six chiffres, par exemple #0b6b4f.",
    notSaved: "Certains de ces réglages n’ont pas pu être enregistrés. Vérifiez-les et enregistrez de nouveau.",
    shopifyNotInformed:
      "Vos réglages sont enregistrés, mais Shopify ne les a pas encore reçus. Enregistrez de nouveau dans une minute.",
  },
  attention: "Votre attention est nécessaire",
  deadJobs: {
    refund_not_recorded: (about) =>
      `Un remboursement a été versé, mais Shopify ne l’accepte plus. Enregistrez-le à la main sur la commande. ${about}`,
    not_delivered: (about) =>
      `Shopify n’a pas pu être informé du résultat d’un remboursement, d’une capture ou d’une annulation. Réessayez. ${about}`,
    not_finished: (about) =>
      `Un remboursement, une capture ou une annulation demandés par Shopify se sont arrêtés avant la fin. Réessayez : l’argent n’est rendu qu’une fois au plus. ${about}`,
    refund_not_paid: (about) =>
      `Un remboursement de votre boutique s’est arrêté, et votre client n’a peut-être pas reçu l’argent. Réessayez : l’argent n’est rendu qu’une fois au plus. ${about}`,
  },
  reconnect: "Shopify refuse notre accès. Rouvrez l’application depuis l’interface d’administration de votre boutique.",
  tryAgain: "Réessayer",
  recordedByHand: "Je l’ai enregistré à la main",
  notices: {
    hold: "À vérifier",
    note: "Note",
    refund: "Remboursement",
    request: "Demande d’accès aux données d’un client",
  },
  dataFile: "Télécharger le fichier de ces données",
  noticesHeading: "Activité récente",
  noNotices: "Aucun événement ne demande votre attention.",
  unsupportedVersion: (version) =>
    `Shopify ne prend plus en charge la version ${version} de son API. L’exploitant de cette application doit la mettre à jour.`,
  open: "Ouvrir les réglages",
};
