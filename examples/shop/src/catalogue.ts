import type { Language, Money } from "@tillkit/core";

export type Product = {
  readonly id: string;
  readonly price: Money;
  /** The stock when the shop opens for the first time. */
  readonly stock: number;
  readonly name: Readonly<Record<Language, string>>;
  readonly about: Readonly<Record<Language, string>>;
};

const francs = (minor: number): Money => ({ minor, currency: "XOF" });

export const CATALOGUE: readonly Product[] = [
  {
    id: "bissap",
    price: francs(1500),
    stock: 60,
    name: { fr: "Fleurs de bissap, 200\u00a0g", en: "Hibiscus flowers, 200\u00a0g" },
    about: {
      fr: "Séchées à l’ombre. Dix minutes d’eau chaude suffisent.",
      en: "Dried in the shade. Ten minutes in hot water.",
    },
  },
  {
    id: "karite",
    price: francs(3500),
    stock: 40,
    name: { fr: "Beurre de karité, 250\u00a0g", en: "Shea butter, 250\u00a0g" },
    about: { fr: "Brut, baratté à la main à Korhogo.", en: "Raw, churned by hand in Korhogo." },
  },
  {
    id: "cafe",
    price: francs(4000),
    stock: 30,
    name: { fr: "Café de Man, 250\u00a0g", en: "Coffee from Man, 250\u00a0g" },
    about: { fr: "Torréfié chaque lundi, en grains ou moulu.", en: "Roasted every Monday, beans or ground." },
  },
  {
    id: "chocolat",
    price: francs(2500),
    stock: 50,
    name: { fr: "Chocolat noir 72\u00a0%, 100\u00a0g", en: "Dark chocolate 72%, 100\u00a0g" },
    about: { fr: "De la fève à la tablette, près de Divo.", en: "From bean to bar, near Divo." },
  },
  {
    id: "panier",
    price: francs(12000),
    stock: 6,
    name: { fr: "Panier tressé en rônier", en: "Woven palm basket" },
    about: { fr: "Trois jours de tressage, une vie de marchés.", en: "Three days to weave, a lifetime of markets." },
  },
  {
    id: "pagne",
    price: francs(25000),
    stock: 1,
    name: { fr: "Pagne baoulé, pièce unique", en: "Baoulé cloth, one of a kind" },
    about: { fr: "Tissé à Tiébissou par M.\u00a0Kouadio.", en: "Woven in Tiébissou by Mr\u00a0Kouadio." },
  },
  {
    id: "cadeau",
    price: { minor: 3990, currency: "USD" },
    stock: 12,
    name: { fr: "Panier cadeau pour vos proches", en: "Gift hamper for your family" },
    about: {
      fr: "Vous vivez loin\u00a0? Offrez bissap, café, chocolat et karité\u00a0: vos proches les retirent chez nous.",
      en: "Living abroad? Send hibiscus, coffee, chocolate and shea: your family collects them from us.",
    },
  },
];

export function findProduct(id: string): Product | null {
  return CATALOGUE.find((product) => product.id === id) ?? null;
}
