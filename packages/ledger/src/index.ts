export { type Ledger, openLedger } from "./open-ledger.ts";
