export type { Ledger } from "@tillkit/core";
export { type DatabaseLedger, type LedgerOptions, openLedger } from "./open-ledger.ts";
