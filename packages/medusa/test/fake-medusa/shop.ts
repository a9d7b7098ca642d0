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
  /** Medusa's id of the user who captured it, and when. */
  captured?: { readonly by: string; readonly at: Date };
  canceledAt: Date | null;
  refunds: { readonly id: string; readonly amount: string; readonly note: string | null }[];
};

export type FakeCart = {
  readonly id: string;
  readonly collectionId: string;
  readonly title: string;
  readonly language: Language;
  isSoldOut: boolean;
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
  /** The rest that an edit of the order asks for is a collection of its own, which no cart is linked to. */
  readonly restId?: string;
};

export type FakeNotice = { readonly key: string; readonly title: string; readonly description: string };

/** Medusa's tables. */
export type FakeShop = {
  readonly carts: FakeCart[];
  readonly collections: FakeCollection[];
  readonly sessions: FakeSession[];
  readonly payments: FakePayment[];
  readonly orders: FakeOrder[];
  readonly notices: FakeNotice[];
  /** Ids as Medusa makes them, in the order of making. */
  newId(prefix: string): string;
  placeCart(want: { readonly total: Money; readonly title: string; readonly language: Language }): FakeCart;
};

export function createFakeShop(): FakeShop {
  let issued = 0;
  const newId = (prefix: string) => {
    issued += 1;
    return `${prefix}_${String(issued).padStart(8, "0")}`;
  };
  const shop: FakeShop = {
    carts: [],
    collections: [],
    sessions: [],
    payments: [],
    orders: [],
    notices: [],
    newId,
    placeCart({ total, title, language }) {
      const collectionId = newId("pay_col");
      const amount = decimalText(total);
      shop.collections.push({
        id: collectionId,
        currencyCode: total.currency.toLowerCase(),
        amount,
        status: "awaiting",
        metadata: null,
      });
      const cart = { id: newId("cart"), collectionId, title, language, isSoldOut: false };
      shop.carts.push(cart);
      return cart;
    },
  };
  return shop;
}

export function mustHave<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined) throw new Error(`This Medusa has no ${what}.`);
  return row;
}
