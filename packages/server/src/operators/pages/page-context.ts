import type { Language } from "@tillkit/core";
import type { OperatorTexts } from "../texts/operator-texts.ts";

/** What every page of the operators needs for rendering. */
export type PageContext = {
  /** Path of the overview, without a slash at the end. */
  readonly base: string;
  readonly language: Language;
  readonly texts: OperatorTexts;
  readonly formToken: string;
  readonly operator: Operator;
  /** The time zone that the operator chose; UTC until then. */
  readonly zone: string;
};

/** Who is logged in. */
export type Operator = {
  /** The name of the token; null when the configuration gives the token no name. */
  readonly name: string | null;
  /** What the log of acts calls a token without a name: the beginning of its fingerprint. */
  readonly tokenLabel: string;
  /** false: this operator may read all pages, and decide nothing. */
  readonly canDecide: boolean;
};

export type MenuItem =
  | "overview"
  | "payments"
  | "refunds"
  | "disputes"
  | "deliveries"
  | "endpoints"
  | "dead"
  | "export"
  | "acts";
