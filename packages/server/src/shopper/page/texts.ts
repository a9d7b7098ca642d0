export type PageName =
  | "waiting"
  | "paid"
  /** The shopper asked to pay an order that is paid. No second payment was made. */
  | "alreadyPaid"
  | "declined"
  /** The shopper made a second payment of an order that was already paid. */
  | "duplicate"
  /** The payment was made, and the shop must review it before the order counts as paid. */
  | "held"
  | "expired"
  | "refunded"
  /** The shopper left the hosted page without paying, and the shop has no page for this. */
  | "resume"
  | "linkBroken"
  | "linkForged"
  | "linkExpired"
  | "orderGone"
  | "orderClosed"
  /** The order is open, and the shop takes no payment for it in its present state. */
  | "orderNotPayable"
  /** The order waits for another payment method. */
  | "otherMethod"
  | "orderChanged"
  | "tryLater"
  | "shopMustAct"
  | "wrongMethod";

/** The text of one page. `action` is the text of the main button; null when the page has none. */
export type PageText = { readonly heading: string; readonly lines: readonly string[]; readonly action: string | null };

export type ShopperTexts = {
  readonly pages: Readonly<Record<PageName, PageText>>;
  readonly order: string;
  readonly receiptNumber: string;
  readonly testMode: string;
  readonly backToShop: string;
  /** A collapsed hint on the waiting page, for a shopper who has not paid. The question is its title, the link leads back to payment. */
  readonly notPaidYet: { readonly question: string; readonly answer: string; readonly link: string };
  /** The name of the other language, in that language. */
  readonly otherLanguage: string;
  /** The live status line of the waiting page. */
  readonly live: {
    readonly updating: string;
    /** The payment is verified, and the order is not marked paid in the shop yet. */
    readonly recording: string;
    readonly stillWaiting: string;
    readonly weakConnection: string;
    readonly statusChanged: string;
  };
};
