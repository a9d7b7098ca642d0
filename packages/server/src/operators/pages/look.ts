import type { Language } from "@tillkit/core";
import type { OperatorWords } from "../words/words.ts";

/** What every page of the operators needs to show itself. */
export type Look = {
  /** Path of the overview, without a slash at the end. */
  readonly base: string;
  readonly language: Language;
  readonly words: OperatorWords;
  readonly formToken: string;
};

export type MenuItem = "overview" | "payments" | "disputes" | "deliveries" | "dead" | "export";
