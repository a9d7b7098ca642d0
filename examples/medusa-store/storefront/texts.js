const french = {
  language: "fr",
  shipTo: "Livrer en",
  buy: (price) => `Acheter, ${price}`,
  redirecting: "Redirection vers la page de paiement…",
  tryAgain: "Réessayer",
  checking: "Nous vérifions votre paiement…",
  thanks: "Merci\u00a0!",
  paid: (number, total) => `Commande n°\u00a0${number}, ${total}\u00a0: payée.`,
  checkAgain: "Vérifier de nouveau",
  backToShop: "Retour à la boutique",
  status: {
    waiting: "Nous n’avons pas encore reçu votre paiement.",
    held: "Nous avons reçu votre paiement et nous le vérifions. Ne payez pas une deuxième fois.",
    expired: "La page de paiement a expiré. Rien n’a été prélevé\u00a0: choisissez de nouveau votre article.",
    refunded: "Votre paiement a été remboursé.",
    unknown: "Ce lien n’est pas valable ou a expiré.",
  },
};

const english = {
  language: "en",
  shipTo: "Ship to",
  buy: (price) => `Buy, ${price}`,
  redirecting: "Redirecting to the payment page…",
  tryAgain: "Try again",
  checking: "We are checking your payment…",
  thanks: "Thank you!",
  paid: (number, total) => `Order no. ${number}, ${total}: paid.`,
  checkAgain: "Check again",
  backToShop: "Back to the shop",
  status: {
    waiting: "We have not received your payment yet.",
    held: "We have received your payment and are checking it. Please do not pay again.",
    expired: "The payment page has expired. You were not charged: choose your item again.",
    refunded: "Your payment has been refunded.",
    unknown: "This link is invalid or has expired.",
  },
};

export const texts = navigator.language.startsWith("fr") ? french : english;
