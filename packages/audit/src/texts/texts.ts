import type { Language } from "@tillkit/core";
import type { Blind } from "../audit.ts";
import type { Because, Certainty, Finding, FindingKind } from "../findings/finding.ts";
import type { Outcome } from "../findings/judge-group.ts";
import { english } from "./english.ts";
import { french } from "./french.ts";

/** A sentence about one finding, made of amounts that are texts already. */
export type FindingSentence = (values: {
  readonly amount: string;
  readonly expected: string;
  readonly actual: string;
  readonly shownBy: Finding["shownBy"];
}) => string;

export type AuditTexts = {
  readonly title: string;
  readonly nothing: string;
  /** Certain and likely findings, and the shops. */
  found(count: number, likely: number): string;
  readonly period: (from: string, until: string) => string;
  readonly made: (at: string) => string;
  readonly testMoney: string;
  readonly kinds: Readonly<
    Record<
      FindingKind,
      { readonly name: string; readonly meaning: string; readonly todo: string; readonly sentence: FindingSentence }
    >
  >;
  readonly certainty: Readonly<Record<Certainty, string>>;
  readonly because: Readonly<Record<Because, string>>;
  readonly outcomes: Readonly<Record<Exclude<Outcome, FindingKind>, string>>;
  readonly blind: Readonly<Record<Blind["why"], (shop: string) => string>>;
  readonly columns: Readonly<
    Record<
      | "order"
      | "payment"
      | "amount"
      | "since"
      | "certainty"
      | "what"
      | "group"
      | "orders"
      | "orderTotal"
      | "payments"
      | "received"
      | "refunds"
      | "returned"
      | "disputes"
      | "day"
      | "findings",
      string
    >
  >;
  readonly headings: Readonly<Record<"picture" | "sums" | "blind" | "read" | "todo", string>>;
  readonly picture: (currency: string) => string;
  readonly pictureMark: string;
  readonly addsUp: string;
  readonly differs: string;
  readonly sumsLead: string;
  readonly wholeInput: string;
  readonly nothingBlind: string;
  readonly more: (count: number, file: string) => string;
  readonly readShop: (shop: string, from: string, until: string) => string;
  readonly environments: Readonly<Record<"test" | "live", string>>;
  readonly readService: (from: string, until: string, environments: string) => string;
  readonly disputesSince: (at: string | null) => string;
  readonly readOnly: string;
  readonly openOrder: string;
  readonly files: (folder: string) => string;
  readonly progress: (source: string, rows: number, total: number | null, rest: string | null) => string;
  readonly minutes: (count: number) => string;
  readonly guard: {
    readonly title: string;
    readonly open: string;
    readonly healed: string;
    readonly none: string;
    readonly lastRound: (at: string) => string;
    readonly noRound: string;
    readonly failing: (code: string) => string;
    readonly subject: (count: number) => string;
    readonly lead: string;
    readonly closing: string;
    readonly firstSeen: string;
    readonly healedAt: string;
  };
};

export const AUDIT_TEXTS: Readonly<Record<Language, AuditTexts>> = { en: english, fr: french };
