import type { Language } from "@tillkit/core";
import type { OperatorTexts } from "../texts/operator-texts.ts";

/** What every page of the operators needs for rendering. */
export type PageContext = {
  /** Path of the overview, without a slash at the end. */
  readonly base: string;
  readonly language: Language;
  readonly texts: OperatorTexts;
  readonly formToken: string;
};

export type MenuItem = "overview" | "payments" | "disputes" | "deliveries" | "dead" | "export";
