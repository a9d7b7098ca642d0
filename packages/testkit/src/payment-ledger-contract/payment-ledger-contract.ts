import type { Ledger } from "@tillkit/core";
import { afterEach, beforeEach, describe, it } from "vitest";
import { letterCaseCounts } from "./case-sensitivity.ts";
import { commitsAreWhole } from "./commits.ts";
import { deliveriesAreKeptOnce } from "./deliveries.ts";
import { operatorsSeeDeliveries } from "./delivery-lists.ts";
import { disputesAreKept, operatorsSeeDisputes } from "./disputes.ts";
import { storesLeave } from "./erase-store.ts";
import { operatorsSeeJobs } from "./job-lists.ts";
import { workersAreWoken } from "./job-signals.ts";
import { jobsAreClaimedByOne, jobsEnd } from "./jobs.ts";
import { jobsAreSharedFairly } from "./jobs-fairness.ts";
import { ordersHaveOneWriter } from "./order-locks.ts";
import { operatorsSeePayments } from "./payment-lists.ts";
import { paymentsAreFound } from "./payments.ts";
import { recordsAreNoSecrets, recordsBelongToAStore } from "./records.ts";
import { personalDataLeaves } from "./retention.ts";
import { callsAreCounted } from "./shared-budget.ts";
import { storyIsTold } from "./timeline.ts";
import { uniqueRulesHold } from "./unique-rules.ts";

/** Registers the tests of the `Ledger` contract. `open` returns an empty ledger; every test opens and closes its own. */
export function paymentLedgerContract(name: string, { open }: { open(): Promise<Ledger> }): void {
  describe(`${name}, as a payment ledger,`, () => {
    let ledger: Ledger;
    beforeEach(async () => {
      ledger = await open();
    });
    afterEach(() => ledger.close());

    describe("commits", () => commitsAreWhole(() => ledger));
    describe("unique rules", () => uniqueRulesHold(() => ledger));
    describe("payments", () => paymentsAreFound(() => ledger));
    describe("case sensitivity", () => letterCaseCounts(() => ledger));
    describe("deliveries", () => deliveriesAreKeptOnce(() => ledger));
    describe("claims of jobs", () => jobsAreClaimedByOne(() => ledger));
    describe("fairness between stores", () => jobsAreSharedFairly(() => ledger));
    describe("ends of jobs", () => jobsEnd(() => ledger));
    describe("order locks", () => ordersHaveOneWriter(() => ledger));
    describe("job notifications", () => workersAreWoken(() => ledger));
    describe("timeline", () => storyIsTold(() => ledger));
    describe("records", () => recordsBelongToAStore(() => ledger.records));
    describe("secrets", () => recordsBelongToAStore(() => ledger.secrets));
    it("records and secrets are separate", () => recordsAreNoSecrets(ledger));
    describe("payment lists", () => operatorsSeePayments(() => ledger));
    describe("job lists", () => operatorsSeeJobs(() => ledger));
    describe("delivery lists", () => operatorsSeeDeliveries(() => ledger));
    describe("disputes", () => disputesAreKept(() => ledger));
    describe("dispute lists", () => operatorsSeeDisputes(() => ledger));
    describe("retention", () => personalDataLeaves(() => ledger));
    describe("erasure of a store", () => storesLeave(() => ledger));
    describe("call budgets", () => callsAreCounted(() => ledger));
  });
}
