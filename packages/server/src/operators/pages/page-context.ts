import type { Environment, Language } from "@tillkit/core";
import type { LedgerCounts } from "../../observability/ledger-counts.ts";
import type { OperatorTexts } from "../texts/operator-texts.ts";

/** What every page of the operators needs for rendering. */
export type PageContext = {
  /** Path of the overview in this mode, without a slash at the end. Every link begins with it, so that the address keeps the mode. */
  readonly base: string;
  /** Path of the overview without a mode. */
  readonly root: string;
  /** Test and live payments are never on one page, nor in one sum. */
  readonly mode: Environment;
  /** What the sections are named after: the host of this server. */
  readonly name: string;
  readonly language: Language;
  readonly texts: OperatorTexts;
  readonly formToken: string;
  readonly operator: Operator;
  /** The time zone that the operator chose; UTC until then. */
  readonly zone: string;
  /** Whether the keys `/`, `j` and `k` do something. People who dictate switch them off. */
  readonly hasShortcuts: boolean;
  /** Whether owners connect shops to this server by themselves. */
  readonly hasShops: boolean;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** What the ledger holds in this mode; null where it could not be counted, and before the login. */
  readonly counts: LedgerCounts | null;
};

/** Who is logged in. */
export type Operator = {
  /** The name of the token; null when the configuration gives the token no name. */
  readonly name: string | null;
  /** What the log of acts calls a token without a name: the beginning of its fingerprint. */
  readonly tokenLabel: string;
  /** false: this operator may read all pages, and decide nothing. */
  readonly canDecide: boolean;
  /** The only store that a shop's owner sees; null for an operator of this server, who sees all. */
  readonly storeId: string | null;
};

/** The sections of the pages. */
export type MenuItem = "overview" | "payments" | "refunds" | "disputes" | "export" | "technical";

/** The pages of the section "Technical". */
export type TechnicalItem = "status" | "deliveries" | "endpoints" | "dead" | "acts" | "shops";
