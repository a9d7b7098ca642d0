import type { Language, Money } from "@tillkit/core";
import { decimalText } from "@tillkit/core";

export type FakeSession = {
  readonly id: string;
  readonly collectionId: string;
  readonly providerId: string;
  readonly amount: string;
  status: string;
  data: Record<string, unknown>;
};

export type FakePayment = {
  readonly id: string;
  readonly sessionId: string;
  readonly collectionId: string;
  readonly providerId: string;
  readonly amount: string;
  data: Record<string, unknown>;
  captures: number;
  /** Medusa's id of the user who captured the payment, and when. */
  captured?: { readonly by: string; readonly at: Date };
  canceledAt: Date | null;
  /** `by`: Medusa's id of the user who asked for the refund; null where code did. */
  refunds: {
    readonly id: string;
    readonly amount: string;
    readonly note: string | null;
    readonly by: string | null;
  }[];
};

export type FakeCart = {
  readonly id: string;
  readonly collectionId: string;
  readonly title: string;
  /** Null where the storefront sets none. */
  readonly locale: string | null;
  readonly country: string | undefined;
  readonly buyer: FakeBuyer | undefined;
  isSoldOut: boolean;
};

export type FakeBuyer = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
};

export type FakeCollection = {
  readonly id: string;
  currencyCode: string;
  amount: string;
  status: string;
  metadata: Record<string, unknown> | null;
};

export type FakeOrder = {
  readonly id: string;
  readonly cartId: string;
  readonly displayId: number;
  status: string;
  /** The payment collection of an edited order's outstanding amount; no cart is linked to it. */
  outstandingCollectionId?: string;
};

export type FakeNotification = { readonly key: string; readonly title: string; readonly description: string };

/** Medusa's tables. */
export type FakeTables = {
  readonly carts: FakeCart[];
  readonly collections: FakeCollection[];
  readonly sessions: FakeSession[];
  readonly payments: FakePayment[];
  readonly orders: FakeOrder[];
  readonly notifications: FakeNotification[];
  /** Ids in Medusa's format, in ascending order. */
  newId(prefix: string): string;
  addCart(input: {
    readonly total: Money;
    readonly title: string;
    readonly language: Language;
    readonly locale?: string | null | undefined;
    readonly country?: string | undefined;
    readonly buyer?: FakeBuyer | undefined;
  }): FakeCart;
};

export function createFakeTables(): FakeTables {
  let issued = 0;
  const newId = (prefix: string) => {
    issued += 1;
    return `${prefix}_${String(issued).padStart(8, "0")}`;
  };
  const tables: FakeTables = {
    carts: [],
    collections: [],
    sessions: [],
    payments: [],
    orders: [],
    notifications: [],
    newId,
    addCart({ total, title, language, locale, country, buyer }) {
      const collectionId = newId("pay_col");
      const amount = decimalText(total);
      tables.collections.push({
        id: collectionId,
        currencyCode: total.currency.toLowerCase(),
        amount,
        status: "awaiting",
        metadata: null,
      });
      const ownLocale = locale === undefined ? (language === "fr" ? "fr-FR" : "en-US") : locale;
      const cart = { id: newId("cart"), collectionId, title, locale: ownLocale, country, buyer, isSoldOut: false };
      tables.carts.push(cart);
      return cart;
    },
  };
  return tables;
}

export function requireRow<Row>(row: Row | undefined, name: string): Row {
  if (row === undefined) throw new Error(`The fake Medusa has no ${name}.`);
  return row;
}

export function requireCollection(tables: FakeTables, collectionId: string): FakeCollection {
  const collection = tables.collections.find(({ id }) => id === collectionId);
  return requireRow(collection, "collection");
}

export function removeRow<Row>(rows: Row[], row: Row): void {
  const index = rows.indexOf(row);
  if (index !== -1) rows.splice(index, 1);
}
