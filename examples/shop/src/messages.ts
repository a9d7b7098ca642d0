import type { Language, PaymentState } from "@tillkit/core";

/** All texts of the shop in both languages. The French texts define the type. */
export type Messages = typeof FRENCH;

export function messagesFor(language: Language): Messages {
  return language === "fr" ? FRENCH : ENGLISH;
}

const FRENCH = {
  shop: "Chez Adjoua",
  tagline: "Grand-Bassam, depuis 1998",
  skip: "Aller au contenu",
  demo: "Boutique d’essai\u00a0: aucun argent réel n’est prélevé.",
  address: "Chez Adjoua, quartier France, Grand-Bassam. Retrait du mardi au samedi, de 9\u00a0h à 18\u00a0h.",
  promise:
    "Vous payez sur la page sécurisée de notre service de paiement. Nous ne voyons jamais votre numéro de carte.",

  welcome: "Les bonnes choses du pays, choisies à la main",
  welcomeText: "Commandez ici, payez par mobile money ou par carte, retirez à la boutique.",
  shelf: "Sur l’étagère",
  away: "De loin, pour vos proches",
  add: "Ajouter",
  addName: (name: string) => `Ajouter au panier\u00a0: ${name}`,
  lastOne: "Dernière pièce",
  soldOut: "Épuisé",

  cart: "Panier",
  cartOf: (count: number) => {
    if (count === 0) return "Panier vide";
    return count === 1 ? "Panier, 1 article" : `Panier, ${count} articles`;
  },
  cartEmpty: "Votre panier est vide.",
  cartEmptyText: "Quelques bonnes choses vous attendent sur l’étagère.",
  toShelf: "Voir les produits",
  twoCurrencies: "Vous avez choisi des articles dans deux monnaies\u00a0: ils font deux commandes.",
  inCurrency: (currency: string): string => (currency === "XOF" ? "À payer en francs CFA" : "À payer en dollars"),
  fewer: (name: string) => `Un de moins\u00a0: ${name}`,
  more: (name: string) => `Un de plus\u00a0: ${name}`,
  removeName: (name: string) => `Retirer du panier\u00a0: ${name}`,
  each: "pièce",
  total: "Total",
  order: "Commander",
  keepShopping: "Continuer mes achats",
  notEnough: (left: number) =>
    left === 0
      ? "Il n’en reste plus\u00a0: retirez cet article pour commander."
      : `Il n’en reste que ${left}\u00a0: réduisez la quantité pour commander.`,

  checkout: "Votre commande",
  pickupName: "Nom de la personne qui viendra la chercher",
  pickupNameHint: "Nous le demandons au retrait. Rien d’autre à remplir ici.",
  pickupNameMissing: "Écrivez le nom de la personne qui viendra chercher la commande.",
  summary: "Récapitulatif",
  pay: (amount: string) => `Payer ${amount}`,
  working: "Un instant…",
  payNext: "L’étape suivante est la page de paiement\u00a0: mobile money ou carte.",
  backToCart: "Retourner au panier",

  orderTitle: (id: string) => `Commande ${id}`,
  placedOn: (day: string, name: string) => `Passée le ${day}, pour ${name}`,
  keepLink: "Gardez l’adresse de cette page\u00a0: elle montre toujours où en est votre commande.",
  adjustment: "Ajustement de la boutique",
  timeline: "Le fil du paiement",
  timelineEmpty: "Il ne s’est encore rien passé.",
  checkNow: "Vérifier maintenant",
  tryAgain: "Réessayer le paiement",
  payNow: (amount: string) => `Payer ${amount}`,
  payAgain: "Reprendre le paiement",

  paid: "Commande payée, merci\u00a0!",
  paidText: (amount: string) =>
    `Nous avons bien reçu ${amount}. Votre commande sera prête au retrait demain dès 9\u00a0h.`,
  partlyRefunded: (refunded: string, left: string) =>
    `${refunded} vous ont été remboursés\u00a0; il reste ${left}. Selon votre banque ou opérateur, la somme arrive en quelques jours.`,
  recording: "Paiement reçu, merci\u00a0!",
  recordingText: "Nous l’inscrivons sur votre commande. Cela prend quelques secondes.",
  waiting: "Nous attendons la confirmation de votre paiement",
  waitingText:
    "Validez sur votre téléphone si ce n’est pas fait. Cette page se met à jour toute seule\u00a0: ne payez pas une seconde fois.",
  unpaid: "Commande à payer",
  unpaidText: "Votre commande est enregistrée. Elle sera préparée dès le paiement reçu.",
  cancelled: "Paiement interrompu",
  cancelledText: "Votre commande vous attend. Vous pouvez reprendre le paiement quand vous voulez.",
  refused: "Le paiement n’a pas abouti",
  refusedText:
    "Vous pouvez réessayer, avec le même moyen ou un autre. Si vous venez de valider sur votre téléphone, attendez\u00a0: cette page se met à jour toute seule.",
  expired: "Le paiement n’a pas été terminé à temps",
  expiredText: "La page de paiement a expiré. Vous pouvez en ouvrir une nouvelle.",
  held: "Nous vérifions votre paiement",
  heldText:
    "Votre argent est arrivé, mais quelque chose ne correspond pas à la commande. Ne payez pas une seconde fois\u00a0: la boutique regarde, et la réponse paraîtra ici.",
  voided: "Commande annulée",
  voidedText:
    "La boutique a annulé cette commande. Ne la payez pas. Si c’est déjà fait, votre argent n’est pas perdu\u00a0: cette page le dira.",
  gone: "Plus assez de stock",
  goneText:
    "Un article de cette commande vient d’être vendu. Ne la payez pas. Si c’est déjà fait, votre argent n’est pas perdu\u00a0: cette page le dira.",
  paidTwice:
    "Un second paiement est arrivé pour cette commande déjà payée. La boutique le voit et vous le rendra\u00a0: ne payez plus.",
  refunded: "Paiement remboursé",
  refundedText: "La somme vous a été rendue. Selon votre banque ou opérateur, elle arrive en quelques jours.",
  unavailable: "La page de paiement ne répond pas pour l’instant",
  unavailableText: "Votre commande est gardée et rien n’a été débité. Réessayez dans une minute.",

  ownerTitle: "Le carnet de la boutique",
  ownerText:
    "Réservé à cet ordinateur. Changez un total, annulez une commande ou remboursez un paiement, et voyez ce qu’en dit le paiement.",
  ownerEmpty: "Aucune commande pour l’instant.",
  ownerPayments: "Paiements",
  ownerNoPayment: "Aucun paiement commencé",
  ownerHold: "À vérifier",
  ownerTotal: (current: string) => `Nouveau total, à la place de ${current}`,
  ownerChange: "Changer le total",
  ownerCancel: "Annuler la commande",
  ownerSee: "Page du client",
  ownerBadTotal: "Écrivez un montant exact, par exemple 4500 ou 39.90, dans la monnaie de la commande.",
  ownerRefund: "Rembourser",
  ownerRefundAmount: (left: string) => `Montant à rembourser, au plus ${left}`,
  ownerRefunded: "Remboursé\u00a0:",
  ownerBadRefund: "Le remboursement n’a pas eu lieu : vérifiez le montant et ce qui a déjà été remboursé.",
  ownerRefundWaits:
    "Le remboursement est demandé. Le service le confirme bientôt ; ne le demandez pas une deuxième fois.",
  ownerTooLate: "Cette commande est payée ou annulée\u00a0: elle ne change plus.",
  states: { open: "à payer", paid: "payée", cancelled: "annulée", refunded: "remboursée" },
  paymentStates: {
    intent: "en préparation",
    open: "en attente de paiement",
    superseded: "remplacé",
    expired: "expiré",
    closed: "clos sans paiement",
    verified: "payé, mise à jour de la boutique",
    recorded: "payé",
    review: "retenu",
    duplicate: "paiement en double",
    refunding: "remboursement en cours",
    refunded: "remboursé",
  } satisfies Record<PaymentState, string>,

  notFound: "Cette page n’existe pas",
  notFoundText: "Vérifiez l’adresse, ou revenez à la boutique.",
  formExpired: "Ce formulaire a expiré",
  formExpiredText: "Revenez à la page précédente, rechargez-la, puis réessayez. Rien n’a été commandé ni débité.",
  badRequest: "Cette demande n’est pas valable",
  badRequestText: "Revenez à la boutique et réessayez.",
  broken: "Quelque chose n’a pas marché chez nous",
  brokenText: "Rien n’est perdu. Réessayez dans un instant.",
  toShop: "Retourner à la boutique",
};

const ENGLISH: Messages = {
  shop: "Chez Adjoua",
  tagline: "Grand-Bassam, since 1998",
  skip: "Skip to content",
  demo: "Trial shop: no real money is taken.",
  address: "Chez Adjoua, Quartier France, Grand-Bassam. Collection Tuesday to Saturday, 9\u00a0am to 6\u00a0pm.",
  promise: "You pay on the secure page of our payment service. We never see your card number.",

  welcome: "Good things from home, chosen by hand",
  welcomeText: "Order here, pay by mobile money or card, collect at the shop.",
  shelf: "On the shelf",
  away: "From far away, for your family",
  add: "Add",
  addName: (name) => `Add to the cart: ${name}`,
  lastOne: "Last piece",
  soldOut: "Sold out",

  cart: "Cart",
  cartOf: (count) => {
    if (count === 0) return "Cart, empty";
    return count === 1 ? "Cart, 1 item" : `Cart, ${count} items`;
  },
  cartEmpty: "Your cart is empty.",
  cartEmptyText: "Some good things are waiting on the shelf.",
  toShelf: "See the products",
  twoCurrencies: "You chose items in two currencies: they make two orders.",
  inCurrency: (currency) => (currency === "XOF" ? "To pay in CFA francs" : "To pay in dollars"),
  fewer: (name) => `One fewer: ${name}`,
  more: (name) => `One more: ${name}`,
  removeName: (name) => `Remove from cart: ${name}`,
  each: "each",
  total: "Total",
  order: "Order",
  keepShopping: "Keep shopping",
  notEnough: (left) =>
    left === 0 ? "None left: remove this item to order." : `Only ${left} left: lower the quantity to order.`,

  checkout: "Your order",
  pickupName: "Name of the person who will collect it",
  pickupNameHint: "We ask for it at collection. Nothing else to fill in here.",
  pickupNameMissing: "Write the name of the person who will collect the order.",
  summary: "Summary",
  pay: (amount) => `Pay ${amount}`,
  working: "One moment…",
  payNext: "Next is the payment page: mobile money or card.",
  backToCart: "Back to the cart",

  orderTitle: (id) => `Order ${id}`,
  placedOn: (day, name) => `Placed on ${day}, for ${name}`,
  keepLink: "Keep the address of this page: it always shows where your order stands.",
  adjustment: "Adjusted by the shop",
  timeline: "The payment, step by step",
  timelineEmpty: "Nothing has happened yet.",
  checkNow: "Check now",
  tryAgain: "Try the payment again",
  payNow: (amount) => `Pay ${amount}`,
  payAgain: "Continue the payment",

  paid: "Order paid, thank you!",
  paidText: (amount) => `We received ${amount}. Your order will be ready to collect tomorrow from 9\u00a0am.`,
  partlyRefunded: (refunded, left) =>
    `${refunded} of it was refunded; ${left} remains. Your bank or operator may take a few days.`,
  recording: "Payment received, thank you!",
  recordingText: "We are writing it on your order. This takes a few seconds.",
  waiting: "We are waiting for your payment to be confirmed",
  waitingText: "Approve it on your phone if you have not yet. This page updates by itself: do not pay a second time.",
  unpaid: "Order to be paid",
  unpaidText: "Your order is saved. We prepare it as soon as it is paid.",
  cancelled: "Payment interrupted",
  cancelledText: "Your order is waiting for you. You can continue the payment whenever you like.",
  refused: "The payment did not go through",
  refusedText:
    "You can try again, the same way or another. If you have just approved it on your phone, wait: this page updates by itself.",
  expired: "The payment was not finished in time",
  expiredText: "The payment page has expired. You can open a new one.",
  held: "We are checking your payment",
  heldText:
    "Your money has arrived, but something does not match the order. Do not pay a second time: the shop is looking, and the answer will appear here.",
  voided: "Order cancelled",
  voidedText:
    "The shop cancelled this order. Do not pay it. If you already did, your money is not lost: this page will say so.",
  gone: "Not enough left",
  goneText:
    "An item of this order has just been sold. Do not pay it. If you already did, your money is not lost: this page will say so.",
  paidTwice:
    "A second payment arrived for this order, which was already paid. The shop sees it and will return it: do not pay again.",
  refunded: "Payment refunded",
  refundedText: "The money was returned to you. Your bank or operator may take a few days.",
  unavailable: "The payment page does not answer right now",
  unavailableText: "Your order is kept and nothing was charged. Try again in a minute.",

  ownerTitle: "The shop’s notebook",
  ownerText:
    "Only on this computer. Change a total, cancel an order or refund a payment, and see what its payment says.",
  ownerEmpty: "No orders yet.",
  ownerPayments: "Payments",
  ownerNoPayment: "No payment started",
  ownerHold: "To check",
  ownerTotal: (current) => `New total, instead of ${current}`,
  ownerChange: "Change the total",
  ownerCancel: "Cancel the order",
  ownerSee: "Customer’s page",
  ownerBadTotal: "Write an exact amount, for example 4500 or 39.90, in the order’s currency.",
  ownerRefund: "Refund",
  ownerRefundAmount: (left) => `Amount to refund, at most ${left}`,
  ownerRefunded: "Refunded:",
  ownerBadRefund: "Nothing was refunded: check the amount, and what was refunded before.",
  ownerRefundWaits: "The refund is requested. The service confirms it soon; do not request it a second time.",
  ownerTooLate: "This order is paid or cancelled: it does not change any more.",
  states: { open: "to pay", paid: "paid", cancelled: "cancelled", refunded: "refunded" },
  paymentStates: {
    intent: "being prepared",
    open: "waiting for payment",
    superseded: "replaced",
    expired: "expired",
    closed: "closed unpaid",
    verified: "paid, shop being updated",
    recorded: "paid",
    review: "held",
    duplicate: "duplicate payment",
    refunding: "refund in progress",
    refunded: "refunded",
  },

  notFound: "This page does not exist",
  notFoundText: "Check the address, or go back to the shop.",
  formExpired: "This form has expired",
  formExpiredText: "Go back, reload the page and try again. Nothing was ordered or charged.",
  badRequest: "This request is not valid",
  badRequestText: "Go back to the shop and try again.",
  broken: "Something went wrong on our side",
  brokenText: "Nothing is lost. Try again in a moment.",
  toShop: "Back to the shop",
};
