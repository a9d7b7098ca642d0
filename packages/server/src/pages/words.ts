import type { Language } from "@tillkit/core";
import { english } from "./english.ts";
import { french } from "./french.ts";

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

/** What one page says. `action` is the text of its one big button, when it has one. */
export type PageText = { readonly heading: string; readonly lines: readonly string[]; readonly action: string | null };

export type Words = {
  readonly pages: Readonly<Record<PageName, PageText>>;
  readonly shop: string;
  readonly paymentNumber: string;
  readonly testMode: string;
  readonly backToShop: string;
  readonly notPaidYet: { readonly question: string; readonly answer: string; readonly link: string };
  /** The other language, in that language. */
  readonly otherLanguage: string;
  /** What the waiting page says aloud while it looks. */
  readonly live: {
    readonly looking: string;
    readonly recording: string;
    readonly long: string;
    readonly weak: string;
    readonly found: string;
  };
};

export function wordsOf(language: Language): Words {
  return language === "fr" ? french : english;
}
