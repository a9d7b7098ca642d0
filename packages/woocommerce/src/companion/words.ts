import type { Language } from "@tillkit/core";

/** What the owner reads in WordPress when a call of the plugin cannot be answered, and what the health panel says. */
export type CallWords = {
  readonly badRequest: string;
  readonly bodyTooLarge: string;
  readonly signatureInvalid: string;
  readonly clockDiffers: (minutes: number) => string;
  readonly unavailable: string;
  readonly orderNotKnown: string;
  readonly amountInvalid: string;
  readonly refundFailed: string;
  readonly refundTooLarge: string;
  readonly refundNotPossible: string;
  readonly refundKeyReused: string;
  readonly tryAgain: string;
  readonly liveKey: string;
  readonly shopByPlugin: string;
  readonly shopByRest: string;
  readonly shopShut: string;
  readonly shopSilent: (reason: string) => string;
  readonly serviceWorks: string;
  readonly serviceSilent: (reason: string) => string;
  readonly compare: (amount: string) => string;
  readonly currencyNotTaken: (currency: string) => string;
  readonly webhookArrived: string;
  readonly webhookLost: (reason: string) => string;
};

const english: CallWords = {
  bodyTooLarge: "The call is larger than 64 KB: no call of the plugin is.",
  badRequest: "The call is not what companion and plugin agreed on: bring both to the same version.",
  signatureInvalid: "The signature does not fit: give companion and plugin the same store id and link secret.",
  clockDiffers: (minutes) =>
    `The clocks of shop and companion differ by ${minutes} minutes: set both by the network's time.`,
  unavailable: "The companion cannot answer now: try again in a moment.",
  orderNotKnown: "No payment of this order is on record here.",
  amountInvalid: "This amount cannot be taken exactly: check the decimals and the currency.",
  refundFailed: "The payment service refused this refund: the money was not given back.",
  refundTooLarge: "More than what is left of this payment cannot be given back.",
  refundNotPossible:
    "Nothing can be given back: this order's payment has not arrived, went back already, or was in another currency.",
  refundKeyReused: "This refund was begun with another amount: start a new one.",
  tryAgain: "The payment service has not answered yet: click again in a moment. It will not be given back twice.",
  liveKey: "A preview is opened with a test key only.",
  shopByPlugin: "The shop answers, and the plugin marks orders paid under a lock.",
  shopByRest:
    "The shop answers. Orders are marked paid by its REST API; after a lost answer it is left alone for two minutes.",
  shopShut:
    "The shop answers, but keeps the companion away from its plugin, and no order is marked paid until that is mended: let /wp-json/tillkit/ through every firewall and security plugin.",
  shopSilent: (reason) => `The shop does not answer as it should. ${reason}`,
  serviceWorks: "The payment service accepts the key.",
  serviceSilent: (reason) => `The payment service does not answer as it should. ${reason}`,
  compare: (amount) => `The hosted page must ask for ${amount}: open one and look.`,
  currencyNotTaken: (currency) =>
    `${currency} is not among the currencies of this shop in the companion: add it there.`,
  webhookArrived: "A signed delivery arrived by the public address.",
  webhookLost: (reason) => `A signed delivery did not arrive by the public address. ${reason}`,
};

const french: CallWords = {
  bodyTooLarge: "L’appel dépasse 64 Ko : aucun appel de l’extension n’est si grand.",
  badRequest: "L’appel n’est pas conforme : mettez le compagnon et l’extension à la même version.",
  signatureInvalid:
    "La signature ne correspond pas : donnez au compagnon et à l’extension le même identifiant de boutique et le même secret de lien.",
  clockDiffers: (minutes) =>
    `Les horloges de la boutique et du compagnon diffèrent de ${minutes} minutes : réglez-les sur l’heure du réseau.`,
  unavailable: "Le compagnon ne peut pas répondre : réessayez dans un instant.",
  orderNotKnown: "Aucun paiement de cette commande n’est enregistré ici.",
  amountInvalid: "Ce montant ne peut pas être encaissé tel quel : vérifiez les décimales et la devise.",
  refundFailed: "Le service de paiement a refusé ce remboursement : l’argent n’a pas été rendu.",
  refundTooLarge: "On ne peut pas rendre plus que ce qui reste de ce paiement.",
  refundNotPossible:
    "Rien ne peut être remboursé : le paiement de cette commande n’est pas arrivé, a déjà été remboursé, ou était dans une autre devise.",
  refundKeyReused: "Ce remboursement a été commencé avec un autre montant : recommencez.",
  tryAgain:
    "Le service de paiement n’a pas encore répondu : cliquez à nouveau dans un instant. Rien ne sera rendu deux fois.",
  liveKey: "Un aperçu ne s’ouvre qu’avec une clé de test.",
  shopByPlugin: "La boutique répond, et l’extension marque les commandes payées sous verrou.",
  shopByRest:
    "La boutique répond. Les commandes sont marquées payées par son API REST ; après une réponse perdue, elle n’est pas sollicitée pendant deux minutes.",
  shopShut:
    "La boutique répond, mais l’extension reste hors d’atteinte du compagnon, et d’ici là aucune commande n’est marquée payée : laissez passer /wp-json/tillkit/ dans tous les pare-feu et extensions de sécurité.",
  shopSilent: (reason) => `La boutique ne répond pas comme il faut. Détail technique : ${reason}`,
  serviceWorks: "Le service de paiement accepte la clé.",
  serviceSilent: (reason) => `Le service de paiement ne répond pas comme il faut. Détail technique : ${reason}`,
  compare: (amount) => `La page hébergée doit demander ${amount} : ouvrez-en une et vérifiez.`,
  currencyNotTaken: (currency) =>
    `${currency} ne figure pas parmi les devises de cette boutique dans le compagnon : ajoutez-la.`,
  webhookArrived: "Une notification signée est arrivée par l’adresse publique.",
  webhookLost: (reason) =>
    `Une notification signée n’est pas arrivée par l’adresse publique. Détail technique : ${reason}`,
};

export function callWords(language: Language): CallWords {
  return language === "fr" ? french : english;
}
