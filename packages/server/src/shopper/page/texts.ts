export type PageName =
  | "waiting"
  | "paid"
  | "alreadyPaid"
  | "declined"
  | "duplicate"
  | "held"
  | "expired"
  | "refunded"
  | "resume"
  | "linkBroken"
  | "linkForged"
  | "linkExpired"
  | "orderGone"
  | "orderClosed"
  | "orderChanged"
  | "tryLater"
  | "shopMustAct"
  | "wrongMethod";

/** The text of one page. `action` is the text of the main button; null when the page has none. */
export type PageText = { readonly heading: string; readonly lines: readonly string[]; readonly action: string | null };

export type ShopperTexts = {
  readonly pages: Readonly<Record<PageName, PageText>>;
  readonly order: string;
  readonly paymentNumber: string;
  readonly testMode: string;
  readonly backToShop: string;
  readonly notPaidYet: { readonly question: string; readonly answer: string; readonly link: string };
  /** The name of the other language, in that language. */
  readonly otherLanguage: string;
  /** The live status line of the waiting page. */
  readonly live: {
    readonly updating: string;
    readonly recording: string;
    readonly stillWaiting: string;
    readonly weakConnection: string;
    readonly statusChanged: string;
  };
};
