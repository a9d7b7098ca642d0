import type { AuditTexts } from "./texts.ts";

export const french: AuditTexts = {
  title: "Manque\u2011t\u2011il de l’argent ?",
  nothing: "Rien à signaler : chaque commande affichée comme payée a son argent, et tout l’argent a sa commande.",
  found: (count, likely) =>
    `${count === 1 ? "1 écart trouvé" : `${count} écarts trouvés`}${likely === 0 ? "" : `, dont ${likely} ${likely === 1 ? "probable et non certain" : "probables et non certains"}`}.`,
  period: (from, until) => `Du ${from} au ${until}`,
  made: (at) => `Établi le ${at}`,
  testMoney: "Seule une clé de test a été lue : ce rapport concerne de l’argent de test.",
  kinds: {
    paid_not_shown: {
      name: "Payé, mais pas affiché",
      meaning: "L’argent est arrivé et la commande ne le dit pas.",
      todo: "Regardez le paiement chez le service. S’il est bon, marquez la commande comme payée et livrez ; sinon, remboursez.",
      sentence: ({ amount }) => `${amount} reçus, et la commande n’est pas affichée comme payée`,
    },
    shown_without_money: {
      name: "Affiché comme payé, sans argent",
      meaning: "La commande compte comme payée et le service n’a aucun paiement pour elle.",
      todo: "Ne livrez pas avant de savoir qui l’a marquée comme payée. Demandez le reçu au client ; sans reçu, remettez la commande en attente.",
      sentence: ({ amount }) => `la commande affiche ${amount} comme payés, et ce paiement n’existe pas`,
    },
    two_payments: {
      name: "Deux paiements pour une commande",
      meaning: "Il est arrivé plus d’argent que la commande ne coûte, en plusieurs paiements.",
      todo: "Remboursez le surplus, sur le paiement que la commande n’affiche pas.",
      sentence: ({ amount }) => `${amount} de trop sont arrivés, en plusieurs paiements`,
    },
    payment_on_two_orders: {
      name: "Un paiement affiché sur deux commandes",
      meaning: "Plusieurs commandes comptent comme payées par le même paiement, qui ne suffit pas pour toutes.",
      todo: "Trouvez la commande vraiment payée. L’autre est souvent une copie : remettez-la en attente.",
      sentence: ({ amount }) => `un paiement figure sur plusieurs commandes, et il manque ${amount}`,
    },
    amount_differs: {
      name: "Montant ou devise différents",
      meaning: "La commande et son paiement n’ont pas le même montant ou la même devise.",
      todo: "Décidez selon la commande : demander le reste, rembourser le surplus ou accepter l’écart.",
      sentence: ({ expected, actual }) => `la commande demande ${expected}, et ${actual} sont arrivés`,
    },
    refund_on_one_side: {
      name: "Remboursement d’un seul côté",
      meaning: "La boutique ou le service affiche un remboursement que l’autre côté ne connaît pas.",
      todo: "Affiché par la boutique seule : le client attend son argent, remboursez-le chez le service. Affiché par le service seul : notez-le sur la commande.",
      sentence: ({ amount, shownBy }) =>
        shownBy === "shop"
          ? `la boutique affiche ${amount} comme remboursés, et le service n’a rien remboursé`
          : `le service a remboursé ${amount}, et la commande ne l’affiche pas`,
    },
    cancelled_and_kept: {
      name: "Commande annulée, argent gardé",
      meaning: "La commande est annulée et l’argent du client est toujours là.",
      todo: "Remboursez le paiement, ou rétablissez la commande si elle est livrée.",
      sentence: ({ amount }) => `la commande est annulée, et ${amount} ont été gardés`,
    },
    dispute_unknown: {
      name: "Contestation inconnue de la boutique",
      meaning: "La banque du client conteste le paiement et rien sur la commande ne le dit.",
      todo: "Répondez à la contestation chez le service avant la date limite, et suspendez la livraison jusqu’à la décision.",
      sentence: ({ amount }) => `${amount} sont contestés, et la commande ne l’affiche pas`,
    },
    test_money: {
      name: "Argent de test sur une vraie commande",
      meaning: "La commande compte comme payée par un paiement de test, qui n’a déplacé aucun argent.",
      todo: "Vérifiez que la boutique utilise maintenant sa clé réelle. Demandez au client de payer, ou reprenez la commande.",
      sentence: ({ amount }) => `${amount} d’argent de test sont affichés comme payés`,
    },
    money_of_nobody: {
      name: "Argent sans commande",
      meaning: "De l’argent est arrivé et aucune commande de ces boutiques ne lui correspond.",
      todo: "Cherchez la commande dans la corbeille et dans les autres boutiques de cette clé. Si personne ne l’attend, remboursez.",
      sentence: ({ amount }) => `${amount} sont arrivés, sans commande`,
    },
    balance_differs: {
      name: "Frais, net et solde ne concordent pas",
      meaning:
        "Les montants moins les frais ne font pas le net, ou le solde a changé d’une autre somme que les mouvements.",
      todo: "Comparez avec le relevé du service. Les versements faits dans son tableau de bord expliquent la plupart des écarts du solde.",
      sentence: ({ amount, expected, actual }) =>
        `${amount} sans explication : les mouvements font ${expected}, et ${actual} est affiché`,
    },
  },
  certainty: { certain: "certain", likely: "probable" },
  because: {
    amount: "le montant est le même",
    time: "l’heure concorde",
    customer: "le client est le même",
    named_twice: "plusieurs commandes portent le nom que donne le paiement",
    method_not_shown: "les données ne disent pas comment les commandes ont été payées",
    payouts_not_listed: "le service ne liste pas les versements faits dans son tableau de bord",
  },
  outcomes: {
    balanced: "en règle : commande et argent concordent",
    resembles: "en règle, autant qu’on puisse le dire : ils se ressemblent",
    returned: "l’argent est reparti, ou rien n’était dû",
    unpaid: "non payées, sans argent",
    other_method: "payées autrement",
    other_channel: "argent d’un autre canal : caisse, abonnement, lien, autre boutique",
    test: "tests",
    under_way: "en cours : moins de dix minutes",
    outside: "hors de la période, ou hors de ce qui a été lu",
  },
  blind: {
    no_refunds: (shop) => `${shop} n’affiche pas les remboursements : un remboursement d’un seul côté ne s’y voit pas.`,
    no_cancellations: (shop) => `${shop} n’affiche pas les commandes annulées.`,
    no_methods: (shop) =>
      `${shop} n’indique pas comment une commande a été payée : une commande sans argent n’est que probable.`,
    no_disputes_of_shop: (shop) => `${shop} n’affiche pas les contestations : on ne voit pas s’il en connaît une.`,
    no_delivery_logs: () =>
      "Le service ne montre les contestations que dans les journaux d’un webhook qui les reçoit, et il n’y en a pas.",
    no_test_key: () =>
      "Aucune clé de test n’a été lue : de l’argent de test sur une vraie commande apparaît comme une commande sans argent.",
    one_balance: () =>
      "Le solde a été lu pour la première fois. Dès le prochain audit, son changement est comparé aux mouvements.",
  },
  columns: {
    order: "Commande",
    payment: "Paiement",
    amount: "Montant",
    since: "Depuis",
    certainty: "Certitude",
    what: "Constat",
    group: "Groupe",
    orders: "Commandes",
    orderTotal: "Leurs totaux",
    payments: "Paiements",
    received: "Reçu",
    refunds: "Remboursements",
    returned: "Rendu",
    disputes: "Contestations",
    day: "Jour",
    findings: "Écarts",
  },
  headings: {
    picture: "La période en un coup d’œil",
    sums: "Le compte y est-il ?",
    blind: "Ce qui n’a pas pu être vu",
    read: "Ce qui a été lu",
    todo: "Que faire",
  },
  picture: (currency) => `Argent reçu en ${currency}`,
  pictureMark: "Une marque sous un jour : un écart y a commencé.",
  addsUp:
    "Chaque commande et chaque mouvement est dans un seul groupe, et la somme des groupes est celle des deux côtés.",
  differs:
    "La somme des groupes n’est pas celle des deux côtés. C’est une erreur de ce programme : merci de la signaler.",
  sumsLead:
    "Chaque ligne est un groupe. La dernière a été additionnée à partir des données mêmes, sans aucun rapprochement.",
  wholeInput: "Les deux côtés, tels qu’ils ont été lus",
  nothingBlind: "Chaque sorte d’écart pouvait être vue dans ce qui a été lu.",
  more: (count, file) => `${count} autres se trouvent dans ${file}.`,
  readShop: (shop, from, until) => `${shop} : commandes du ${from} au ${until}.`,
  environments: { test: "test", live: "réel" },
  readService: (from, until, environments) => `Le service (${environments}) : mouvements du ${from} au ${until}.`,
  disputesSince: (at) =>
    at === null ? "Les contestations ne sont pas connues." : `Les contestations sont connues depuis le ${at}.`,
  readOnly: "Rien n’a été écrit, ni chez le service ni dans une boutique.",
  openOrder: "ouvrir",
  files: (folder) => `Le rapport est dans ${folder}.`,
  progress: (source, rows, total, rest) =>
    `${source} : ${rows}${total === null ? "" : ` sur ${total}`}${rest === null ? "" : `, encore ${rest} environ`}`,
  minutes: (count) => (count < 1 ? "moins d’une minute" : count === 1 ? "1 minute" : `${count} minutes`),
  guard: {
    title: "Veille de l’argent",
    open: "Ouverts",
    healed: "Réglés",
    none: "Aucun.",
    lastRound: (at) => `Dernière comparaison le ${at}.`,
    noRound: "Rien n’a encore été comparé.",
    failing: (code) => `La dernière comparaison a échoué (${code}). Elle est répétée.`,
    subject: (count) => (count === 1 ? "1 nouvel écart" : `${count} nouveaux écarts`),
    lead: "Commandes et argent diffèrent :",
    closing: "La page de la veille nomme chaque cas et la marche à suivre.",
    firstSeen: "Vu",
    healedAt: "Réglé",
  },
};
