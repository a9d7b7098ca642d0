const french = {
  language: "fr",
  shipTo: "Livrer en",
  products: "Nos articles",
  buy: "Acheter",
  buyOf: (title, price) => `Acheter ${title}, ${price}`,
  redirecting: "Redirection vers la page de paiement…",
  tryAgain: "Réessayer",
  checking: "Nous vérifions votre paiement…",
  order: "Commande",
  orderNumber: (number) => `n°\u00a0${number}`,
  total: "Total payé",
  checkAgain: "Vérifier de nouveau",
  backToShop: "Retour à la boutique",
  states: {
    paid: { title: "Commande payée, merci\u00a0!", text: "Nous préparons votre commande." },
    waiting: {
      title: "Paiement pas encore reçu",
      text: "Si vous venez de payer, attendez un instant. Ne payez pas une deuxième fois.",
    },
    held: {
      title: "Paiement reçu, en cours de vérification",
      text: "Nous vérifions votre paiement. Ne payez pas une deuxième fois.",
    },
    expired: {
      title: "La page de paiement a expiré",
      text: "Rien n’a été prélevé\u00a0: choisissez de nouveau votre article.",
    },
    refunded: { title: "Paiement remboursé", text: "Votre paiement a été remboursé." },
    unknown: { title: "Lien non valable", text: "Ce lien n’est pas valable ou a expiré." },
  },
};

const english = {
  language: "en",
  shipTo: "Ship to",
  products: "Our products",
  buy: "Buy",
  buyOf: (title, price) => `Buy ${title}, ${price}`,
  redirecting: "Redirecting to the payment page…",
  tryAgain: "Try again",
  checking: "We are checking your payment…",
  order: "Order",
  orderNumber: (number) => `no. ${number}`,
  total: "Total paid",
  checkAgain: "Check again",
  backToShop: "Back to the shop",
  states: {
    paid: { title: "Order paid, thank you!", text: "We are preparing your order." },
    waiting: {
      title: "Payment not received yet",
      text: "If you have just paid, wait a moment. Please do not pay again.",
    },
    held: {
      title: "Payment received, being checked",
      text: "We are checking your payment. Please do not pay again.",
    },
    expired: { title: "The payment page has expired", text: "You were not charged: choose your item again." },
    refunded: { title: "Payment refunded", text: "Your payment has been refunded." },
    unknown: { title: "Invalid link", text: "This link is invalid or has expired." },
  },
};

export const texts = navigator.language.startsWith("fr") ? french : english;
