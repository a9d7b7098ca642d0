export { type Ledger, type LedgerOptions, openLedger } from "./open-ledger.ts";
