import type { FailureCode, PaymentMethod } from "../../domain/payment-methods.ts";
import type { Language } from "../../pages/language.ts";
import type { ProblemCode } from "../form/form-problems.ts";
import type { Field } from "../form/form-values.ts";

/** The texts of the hosted page. */
export type HostedPageTexts = {
  language: Language;
  payTo: (merchant: string) => string;
  /** The footer. */
  secure: string;
  testMode: string;
  testModeHint: string;
  /** Card numbers with their outcomes. */
  testCards: readonly (readonly [string, string])[];
  /** Phone numbers with their outcomes. */
  testPhones: readonly (readonly [string, string])[];
  quantity: (count: number) => string;
  /** The heading above the fields about the shopper. */
  details: string;
  method: string;
  methods: Record<PaymentMethod, string>;
  methodHints: Record<PaymentMethod, string>;
  labels: Record<Field, string>;
  optional: string;
  /** The last choice of a phone number's country. */
  otherCountry: string;
  hints: { expiry: string; cvc: string; mobilePhone: string };
  pay: (amount: string) => string;
  /** The button after it was pressed. */
  paying: string;
  cancel: string;
  /** The heading above the fields to correct. */
  problemTitle: string;
  /** The heading above the reason why the last attempt failed. */
  declinedTitle: string;
  problems: Record<ProblemCode, string>;
  failures: Record<FailureCode, string>;
  /** Says that nothing was charged. */
  noneCharged: string;
  /** Says that no method can pay this amount. */
  noMethod: string;
  waitingTitle: string;
  waitingSteps: (amount: string, phone: string) => readonly string[];
  waitingStatus: string;
  waitingHint: string;
  checkNow: string;
  otherMethod: string;
  challengeTitle: string;
  challengeText: (amount: string, merchant: string) => string;
  approve: string;
  refuse: string;
  /** The page of a session that is paid already, when the shop has a page of its own to return to. */
  paidTitle: string;
  paidText: string;
  /** The same page when there is no return URL. */
  receiptTitle: string;
  receiptText: string;
  backToShop: string;
  expiredTitle: string;
  expiredText: string;
  /** The page of an unknown session. */
  missingTitle: string;
  missingText: string;
  /** The page of an internal error. */
  troubleTitle: string;
  troubleText: string;
  /** The labels of the receipt. `title` stands beside the title of the session, such as "Order 1042". */
  rows: { amount: string; merchant: string; title: string; reference: string; method: string; date: string };
  /** The name of the other language, in that language. */
  otherLanguage: string;
  date: (time: number) => string;
};
