// npx tsx --conditions=@tillkit/source packages/ledger/test/bench/fill.ts <address> <payments> <store>: fills a ledger for a benchmark.
import { openLedger } from "@tillkit/ledger";
import { fillLedger } from "./fill-ledger.ts";

const [, , address = "", payments, store = ""] = process.argv;
await (await openLedger(address)).close();
await fillLedger(address, Number(payments), store);
