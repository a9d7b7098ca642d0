import type { ShopperTexts } from "./texts.ts";

export const french: ShopperTexts = {
  pages: {
    waiting: {
      heading: "Votre paiement est en cours de confirmation",
      lines: [
        "Si une demande s’affiche sur votre téléphone, validez-la.",
        "Ne payez pas une deuxième fois. Vous pouvez fermer cette page : si le paiement aboutit, votre commande sera bien payée.",
      ],
      action: null,
    },
    paid: {
      heading: "Merci, votre paiement est reçu",
      lines: ["La boutique met votre commande à jour. Vous n’avez plus rien à faire."],
      action: "Retourner à la boutique",
    },
    alreadyPaid: {
      heading: "Cette commande est déjà payée",
      lines: ["Vous n’avez plus rien à payer."],
      action: "Retourner à la boutique",
    },
    declined: {
      heading: "Le paiement n’a pas abouti",
      lines: [
        "Votre commande n’est pas encore payée. Vous pouvez réessayer, par le même moyen ou par un autre.",
        "Si vous venez de valider sur votre téléphone, attendez encore un peu.",
      ],
      action: "Réessayer",
    },
    duplicate: {
      heading: "Cette commande était déjà payée",
      lines: [
        "Nous avons bien reçu ce paiement, mais la commande avait déjà été réglée autrement.",
        "Ne payez pas de nouveau. La boutique voit les deux paiements : donnez-lui le numéro de la commande et celui du reçu, ci-dessous, pour être remboursé de celui-ci.",
      ],
      action: "Retourner à la boutique",
    },
    held: {
      heading: "La boutique vérifie votre paiement",
      lines: [
        "Votre paiement est enregistré, il n’est pas perdu. Ne payez pas une deuxième fois.",
        "Un détail de la commande doit être contrôlé par la boutique. Si vous lui écrivez, donnez-lui le numéro ci-dessous.",
      ],
      action: "Retourner à la boutique",
    },
    expired: {
      heading: "Le temps prévu pour payer est écoulé",
      lines: [
        "Aucun paiement n’a été confirmé. Vous pouvez reprendre maintenant.",
        "Si vous avez déjà validé sur votre téléphone, attendez encore un peu avant de reprendre.",
      ],
      action: "Reprendre le paiement",
    },
    refunded: {
      heading: "Ce paiement vous est remboursé",
      lines: [
        "Le montant revient par le moyen que vous aviez utilisé ; cela peut prendre quelques jours. Pour toute question, écrivez à la boutique.",
      ],
      action: "Retourner à la boutique",
    },
    resume: {
      heading: "Votre commande n’est pas encore payée",
      lines: ["Vous avez quitté la page de paiement. Rien n’est annulé : vous pouvez reprendre quand vous voulez."],
      action: "Reprendre le paiement",
    },
    linkBroken: {
      heading: "Ce lien ne fonctionne pas",
      lines: [
        "Il est peut-être incomplet. Ouvrez-le de nouveau depuis le message ou la page d’origine.",
        "Si vous avez déjà payé, votre paiement est enregistré : la boutique peut vous le confirmer.",
      ],
      action: "Retourner à la boutique",
    },
    linkForged: {
      heading: "Ce lien n’est pas valable",
      lines: [
        "Il a été modifié ou ne vient pas de la boutique. N’y saisissez aucune information.",
        "Retournez sur le site de la boutique pour voir votre commande ou la payer.",
      ],
      action: "Retourner à la boutique",
    },
    linkExpired: {
      heading: "Ce lien n’est plus valable",
      lines: [
        "Il est trop ancien. Retournez sur le site de la boutique pour voir votre commande ou la payer.",
        "Si vous avez déjà payé, votre paiement est enregistré.",
      ],
      action: "Retourner à la boutique",
    },
    orderGone: {
      heading: "Cette commande n’existe plus",
      lines: [
        "La boutique ne la trouve plus. Passez une nouvelle commande ou écrivez à la boutique.",
        "Si vous avez déjà payé, donnez-lui le numéro ci-dessous.",
      ],
      action: "Retourner à la boutique",
    },
    orderClosed: {
      heading: "Cette commande ne peut plus être payée",
      lines: [
        "La boutique l’a annulée ou fermée. Ne payez pas.",
        "Si vous avez déjà payé, donnez-lui le numéro ci-dessous.",
      ],
      action: "Retourner à la boutique",
    },
    orderNotPayable: {
      heading: "Cette commande ne peut pas être payée pour le moment",
      lines: [
        "La boutique ne prend pas de paiement pour elle dans son état actuel. Rien n’a été débité : demandez à la boutique.",
        "Si vous avez déjà payé, donnez le numéro ci-dessous à la boutique.",
      ],
      action: "Retour à la boutique",
    },
    otherMethod: {
      heading: "Cette commande a un autre moyen de paiement",
      lines: [
        "Elle n’attend plus de paiement sur cette page, et rien n’a été débité. Choisissez à nouveau dans la boutique.",
      ],
      action: "Retour à votre commande",
    },
    orderChanged: {
      heading: "Votre commande a changé",
      lines: [
        "Elle n’est plus la même que lorsque vous avez choisi de payer. Revoyez-la dans la boutique, puis payez à partir de là.",
      ],
      action: "Retourner à votre commande",
    },
    tryLater: {
      heading: "Un instant, s’il vous plaît",
      lines: [
        "Nous ne pouvons pas afficher votre paiement pour le moment. Réessayez dans une minute.",
        "Si vous avez déjà payé, ne payez pas une deuxième fois : votre paiement est enregistré et sera retrouvé.",
      ],
      action: "Réessayer",
    },
    shopMustAct: {
      heading: "Le paiement en ligne est momentanément fermé",
      lines: ["La boutique doit vérifier ses réglages ; elle en est avertie. Aucun paiement n’a été lancé."],
      action: "Retourner à la boutique",
    },
    wrongMethod: {
      heading: "Ouvrez cette page par son lien",
      lines: [
        "Cette adresse est une page et n’accepte aucun formulaire. Revenez en arrière et ouvrez de nouveau le lien.",
      ],
      action: null,
    },
  },
  order: "Commande",
  receiptNumber: "Numéro de reçu",
  testMode: "Mode test : aucun argent réel",
  backToShop: "Retourner à la boutique",
  notPaidYet: {
    question: "Vous n’avez pas encore payé ?",
    answer: "Si vous n’avez rien validé, vous pouvez retourner à la page de paiement.",
    link: "Retourner à la page de paiement",
  },
  otherLanguage: "English",
  live: {
    updating: "Cette page se met à jour toute seule.",
    recording: "Vous retournerez à la boutique dès que votre commande sera à jour.",
    stillWaiting: "Toujours en attente. Cela peut prendre quelques minutes.",
    weakConnection: "La connexion est faible : nous réessayons. Votre paiement n’est pas perdu.",
    statusChanged: "Nous avons une réponse. La page s’actualise.",
  },
};
