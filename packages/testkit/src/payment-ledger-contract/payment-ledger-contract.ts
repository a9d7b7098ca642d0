import type { Ledger } from "@tillkit/core";
import { afterEach, beforeEach, describe, it } from "vitest";
import { testArchive } from "./archive.ts";
import { testCaseSensitivity } from "./case-sensitivity.ts";
import { testCommits } from "./commits.ts";
import { testCorrectedClocks } from "./corrected-clocks.ts";
import { testDeliveries } from "./deliveries.ts";
import { testDeliveryLists } from "./delivery-lists.ts";
import { testDisputeLists, testDisputes } from "./disputes.ts";
import { testStoreErasure } from "./erase-store.ts";
import { testHostJobs } from "./host-jobs.ts";
import { testJobLists } from "./job-lists.ts";
import { testJobNotifications } from "./job-signals.ts";
import { testFinishedAndRetriedJobs, testJobClaims } from "./jobs.ts";
import { testJobFairness } from "./jobs-fairness.ts";
import { testMovementLists } from "./movement-lists.ts";
import { testOperatorActs } from "./operator-acts.ts";
import { testOrderLocks } from "./order-locks.ts";
import { testPaymentLists } from "./payment-lists.ts";
import { testPaymentSearch } from "./payment-search.ts";
import { testPaymentStatistics } from "./payment-statistics.ts";
import { testPayments } from "./payments.ts";
import { testRecords, testRecordsAndSecrets } from "./records.ts";
import { testRefundLists } from "./refund-lists.ts";
import { testRefundMarks } from "./refund-marks.ts";
import { testRetention } from "./retention.ts";
import { testCallBudgets } from "./shared-budget.ts";
import { testTimeline } from "./timeline.ts";
import { testTransactionDetails } from "./transaction-details.ts";
import { testTransactions } from "./transactions.ts";
import { testUniqueRules } from "./unique-rules.ts";
import { testUnknownJobKinds } from "./unknown-job-kinds.ts";

/** Registers the tests of the `Ledger` contract. `open` returns an empty ledger; every test opens and closes a new ledger. */
export function paymentLedgerContract(name: string, { open }: { open(): Promise<Ledger> }): void {
  describe(`${name}, as a payment ledger,`, () => {
    let ledger: Ledger;
    beforeEach(async () => {
      ledger = await open();
    });
    afterEach(() => ledger.close());

    describe("commits", () => testCommits(() => ledger));
    describe("unique rules", () => testUniqueRules(() => ledger));
    describe("payments", () => testPayments(() => ledger));
    describe("transactions", () => testTransactions(() => ledger));
    describe("marks of refunds", () => testRefundMarks(() => ledger));
    describe("case sensitivity", () => testCaseSensitivity(() => ledger));
    describe("deliveries", () => testDeliveries(() => ledger));
    describe("claims of jobs", () => testJobClaims(() => ledger));
    describe("fairness between stores", () => testJobFairness(() => ledger));
    describe("finished and retried jobs", () => testFinishedAndRetriedJobs(() => ledger));
    describe("jobs of hosts", () => testHostJobs(() => ledger));
    describe("corrected clocks", () => testCorrectedClocks(() => ledger));
    describe("unknown kinds of jobs", () => testUnknownJobKinds(() => ledger));
    describe("order locks", () => testOrderLocks(() => ledger));
    describe("job notifications", () => testJobNotifications(() => ledger));
    describe("timeline", () => testTimeline(() => ledger));
    describe("records", () => testRecords(() => ledger.records));
    describe("secrets", () => testRecords(() => ledger.secrets));
    it("records and secrets are separate", () => testRecordsAndSecrets(ledger));
    describe("payment lists", () => testPaymentLists(() => ledger));
    describe("payment search", () => testPaymentSearch(() => ledger));
    describe("payment statistics", () => testPaymentStatistics(() => ledger));
    describe("transaction details", () => testTransactionDetails(() => ledger));
    describe("movement lists", () => testMovementLists(() => ledger));
    describe("refund lists", () => testRefundLists(() => ledger));
    describe("operators' acts", () => testOperatorActs(() => ledger));
    describe("job lists", () => testJobLists(() => ledger));
    describe("delivery lists", () => testDeliveryLists(() => ledger));
    describe("disputes", () => testDisputes(() => ledger));
    describe("dispute lists", () => testDisputeLists(() => ledger));
    describe("retention", () => testRetention(() => ledger));
    describe("erasure of a store", () => testStoreErasure(() => ledger));
    describe("archive", () => testArchive(() => ledger));
    describe("call budgets", () => testCallBudgets(() => ledger));
  });
}
