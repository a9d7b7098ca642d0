const french = {
  language: "fr",
  shipTo: "Livrer en",
  buy: (price) => `Acheter, ${price}`,
  leaving: "Vers la page de paiement…",
  tryAgain: "Réessayer",
  looking: "Nous vérifions votre paiement…",
  thanks: "Merci\u00a0!",
  paid: (number, total) => `Commande n°\u00a0${number}, ${total}\u00a0: payée.`,
  again: "Vérifier de nouveau",
  after: {
    waiting: "Votre paiement n’est pas encore arrivé.",
    held: "Votre paiement est arrivé et la boutique le vérifie. Ne payez pas une deuxième fois.",
    lapsed: "La page de paiement a expiré. Rien n’a été prélevé\u00a0: choisissez de nouveau votre article.",
    refunded: "Votre paiement vous est remboursé.",
    unknown: "Ce lien n’est pas, ou n’est plus, valable.",
  },
};

const english = {
  language: "en",
  shipTo: "Ship to",
  buy: (price) => `Buy, ${price}`,
  leaving: "To the payment page…",
  tryAgain: "Try again",
  looking: "We are looking at your payment…",
  thanks: "Thank you!",
  paid: (number, total) => `Order no. ${number}, ${total}: paid.`,
  again: "Look again",
  after: {
    waiting: "Your payment has not arrived yet.",
    held: "Your payment has arrived and the shop is checking it. Please do not pay a second time.",
    lapsed: "The payment page has expired. Nothing was charged: choose your item again.",
    refunded: "Your payment is being given back.",
    unknown: "This link is not valid, or no longer.",
  },
};

export const words = navigator.language.startsWith("fr") ? french : english;
