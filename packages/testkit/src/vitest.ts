export { paymentLedgerContract } from "./payment-ledger-contract/payment-ledger-contract.ts";
export { storeAdapterContract } from "./store-adapter-contract/store-adapter-contract.ts";
