import type { Language } from "@tillkit/core";

export type FilterTexts = {
  readonly heading: string;
  readonly store: string;
  readonly method: string;
  readonly from: string;
  readonly until: string;
  readonly least: string;
  readonly most: string;
  readonly currency: string;
  /** The choice that filters nothing. */
  readonly every: string;
  readonly button: string;
  readonly reset: string;
  /** How to come back to the filtered list. */
  readonly keep: string;
  /** Instead of rows, when none matched so far and older payments were not searched yet. */
  readonly further: string;
  readonly problem: string;
};

const english: FilterTexts = {
  heading: "Filter",
  store: "Shop",
  method: "Paid by",
  from: "From",
  until: "To (inclusive)",
  least: "Amount from",
  most: "Amount to",
  currency: "Currency",
  every: "All",
  button: "Show",
  reset: "Remove the filters",
  keep: "This page’s address keeps the filters: bookmark it to come back to this list.",
  further: "Nothing matches among the payments that were searched. Older ones may.",
  problem: "Write amounts as digits, such as 5000 or 12.50.",
};

const french: FilterTexts = {
  heading: "Filtrer",
  store: "Boutique",
  method: "Payé par",
  from: "Du",
  until: "Au (inclus)",
  least: "Montant de",
  most: "Montant à",
  currency: "Devise",
  every: "Tous",
  button: "Afficher",
  reset: "Retirer les filtres",
  keep: "L’adresse de cette page garde les filtres : ajoutez-la à vos favoris pour retrouver cette liste.",
  further: "Rien ne correspond parmi les paiements parcourus. De plus anciens peuvent correspondre.",
  problem: "Écrivez les montants en chiffres, par exemple 5000 ou 12,50.",
};

export const filterTexts: Readonly<Record<Language, FilterTexts>> = { en: english, fr: french };
