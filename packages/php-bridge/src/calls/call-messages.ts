import type { Language } from "@tillkit/core";

/** Texts for the owner in the shop: the errors of calls and the results of the health panel. */
export type CallMessages = {
  readonly badRequest: string;
  readonly bodyTooLarge: string;
  readonly signatureInvalid: string;
  readonly notConnected: string;
  readonly clockDiffers: (minutes: number) => string;
  readonly unavailable: string;
  readonly orderNotKnown: string;
  readonly amountInvalid: string;
  readonly looksLikeCopy: (original: string) => string;
  readonly tryAgain: string;
  readonly testKeyOnly: string;
  readonly shopByPlugin: string;
  readonly shopByRest: string;
  readonly shopPluginUnreachable: (place: string) => string;
  readonly shopFails: (reason: string) => string;
  readonly takesNoPayments: string;
  readonly serviceWorks: string;
  readonly serviceFails: (reason: string) => string;
  readonly compareAmount: (amount: string) => string;
  readonly currencyNotAccepted: (currency: string) => string;
  readonly webhookArrived: string;
  readonly webhookLost: (reason: string) => string;
  readonly noOwnerPages: string;
  readonly linkUsed: string;
  readonly suspended: string;
};

const english: CallMessages = {
  bodyTooLarge: "The call is larger than 64 KB, the limit for calls of the plugin.",
  badRequest: "The call does not follow the protocol: update the checkout server and the plugin to the same version.",
  signatureInvalid:
    "The signature does not match: give the checkout server and the plugin the same store id and link secret.",
  notConnected:
    "This shop is not connected to this checkout server, or no longer: connect it again in the settings of Tillkit, or ask the operator of the server.",
  clockDiffers: (minutes) =>
    `The clocks of the shop and the checkout server differ by ${minutes} minutes: synchronise both clocks (NTP).`,
  unavailable: "The checkout server cannot answer right now. Try again in a moment.",
  orderNotKnown: "The checkout server has no payment for this order.",
  amountInvalid: "This amount cannot be charged exactly: check the decimals and the currency.",
  looksLikeCopy: (original) =>
    `This looks like a copy of ${original}, so nothing was done. The settings of Tillkit ask whether the shop moved here.`,
  tryAgain: "The payment service has not answered yet. Click again in a moment: the money is not refunded twice.",
  testKeyOnly: "A preview needs a test key.",
  shopByPlugin: "The shop answers, and the plugin locks an order while it marks it as paid.",
  shopByRest:
    "The shop answers. Orders are marked paid by its REST API; after a lost answer the next write waits two minutes.",
  shopPluginUnreachable: (place) =>
    `The shop answers, but the checkout server cannot reach the plugin of the shop. Until it can, no order is marked paid: let ${place} through every firewall and security plugin.`,
  shopFails: (reason) => `The shop does not answer correctly. ${reason}`,
  takesNoPayments:
    "Shoppers cannot pay: the operator of the checkout server has not approved this shop yet, or has suspended it, or its connection is ending. Ask the operator.",
  serviceWorks: "The payment service accepts the key.",
  serviceFails: (reason) => `The payment service does not answer correctly. ${reason}`,
  compareAmount: (amount) => `The hosted page must ask for ${amount}: open a hosted page and compare.`,
  currencyNotAccepted: (currency) =>
    `${currency} is not among the currencies of this shop in the checkout server: add it there.`,
  webhookArrived: "A test webhook of the service arrived through the public address.",
  noOwnerPages: "This checkout server lists its shops in its configuration and has no pages for their owners.",
  linkUsed: "This call was answered before. Press the button again.",
  suspended: "The operator of the checkout server has suspended this shop. Only the operator can end the connection.",
  webhookLost: (reason) => `A test webhook of the service did not arrive through the public address. ${reason}`,
};

const french: CallMessages = {
  bodyTooLarge: "L’appel dépasse 64 Ko, la limite pour les appels de l’extension.",
  badRequest: "L’appel n’est pas conforme au protocole : mettez le serveur Tillkit et l’extension à la même version.",
  signatureInvalid:
    "La signature ne correspond pas : donnez au serveur Tillkit et à l’extension le même identifiant de boutique et le même secret de lien.",
  notConnected:
    "Cette boutique n’est pas connectée à ce serveur Tillkit, ou ne l’est plus : connectez-la de nouveau dans les réglages de Tillkit, ou adressez-vous à l’exploitant du serveur.",
  clockDiffers: (minutes) =>
    `Les horloges de la boutique et du serveur Tillkit diffèrent de ${minutes} minutes : synchronisez les deux horloges (NTP).`,
  unavailable: "Le serveur Tillkit ne peut pas répondre pour le moment. Réessayez dans un instant.",
  orderNotKnown: "Le serveur Tillkit n’a aucun paiement pour cette commande.",
  amountInvalid: "Ce montant ne peut pas être encaissé tel quel : vérifiez les décimales et la devise.",
  looksLikeCopy: (original) =>
    `Ceci ressemble à une copie de ${original}, donc rien n’a été fait. Les réglages de Tillkit demandent si la boutique a déménagé ici.`,
  tryAgain:
    "Le service de paiement n’a pas encore répondu. Cliquez à nouveau dans un instant : le remboursement ne sera pas fait deux fois.",
  testKeyOnly: "Un aperçu nécessite une clé de test.",
  shopByPlugin: "La boutique répond, et l’extension verrouille une commande pendant qu’elle la marque comme payée.",
  shopByRest:
    "La boutique répond. Les commandes sont marquées payées par son API REST ; après une réponse perdue, l’écriture suivante attend deux minutes.",
  shopPluginUnreachable: (place) =>
    `La boutique répond, mais le serveur Tillkit ne peut pas joindre l’extension de la boutique. Tant que c’est le cas, aucune commande n’est marquée payée : laissez passer ${place} dans tous les pare-feu et extensions de sécurité.`,
  shopFails: (reason) => `La boutique ne répond pas correctement. Détail technique : ${reason}`,
  takesNoPayments:
    "Vos clients ne peuvent pas payer : l’exploitant du serveur Tillkit n’a pas encore approuvé cette boutique, ou l’a suspendue, ou la connexion prend fin. Adressez-vous à lui.",
  serviceWorks: "Le service de paiement accepte la clé.",
  serviceFails: (reason) => `Le service de paiement ne répond pas correctement. Détail technique : ${reason}`,
  compareAmount: (amount) => `La page hébergée doit demander ${amount} : ouvrez une page hébergée et comparez.`,
  currencyNotAccepted: (currency) =>
    `${currency} ne figure pas parmi les devises de cette boutique dans le serveur Tillkit : ajoutez-la.`,
  webhookArrived: "Une notification de test du service est arrivée par l’adresse publique.",
  noOwnerPages:
    "Ce serveur Tillkit énumère ses boutiques dans sa configuration et n’a pas de pages pour leurs propriétaires.",
  linkUsed: "Cet appel a déjà reçu sa réponse. Cliquez à nouveau sur le bouton.",
  suspended: "L’exploitant du serveur Tillkit a suspendu cette boutique. Lui seul peut mettre fin à la connexion.",
  webhookLost: (reason) =>
    `Une notification de test du service n’est pas arrivée par l’adresse publique. Détail technique : ${reason}`,
};

export function callMessages(language: Language): CallMessages {
  return language === "fr" ? french : english;
}
