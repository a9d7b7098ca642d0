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

/** Everything that Ledger promises. `open` gives an empty ledger; each test gets its own and closes it. */
export function paymentLedgerContract(name: string, { open }: { open(): Promise<Ledger> }): void {
  describe(`${name}, as a payment ledger,`, () => {
    let ledger: Ledger;
    beforeEach(async () => {
      ledger = await open();
    });
    afterEach(() => ledger.close());

    describe("commits", () => commitsAreWhole(() => ledger));
    describe("has unique rules and", () => uniqueRulesHold(() => ledger));
    describe("finds payments and", () => paymentsAreFound(() => ledger));
    describe("tells letters apart and", () => letterCaseCounts(() => ledger));
    describe("keeps deliveries and", () => deliveriesAreKeptOnce(() => ledger));
    describe("hands out jobs and", () => jobsAreClaimedByOne(() => ledger));
    describe("is fair over stores and", () => jobsAreSharedFairly(() => ledger));
    describe("ends jobs and", () => jobsEnd(() => ledger));
    describe("locks orders and", () => ordersHaveOneWriter(() => ledger));
    describe("tells of work and", () => workersAreWoken(() => ledger));
    describe("tells the story and", () => storyIsTold(() => ledger));
    describe("keeps a platform's records and", () => recordsBelongToAStore(() => ledger.records));
    describe("keeps secrets and", () => recordsBelongToAStore(() => ledger.secrets));
    it("records and secrets are separate", () => recordsAreNoSecrets(ledger));
    describe("shows operators its payments and", () => operatorsSeePayments(() => ledger));
    describe("shows operators its jobs and", () => operatorsSeeJobs(() => ledger));
    describe("shows operators its deliveries and", () => operatorsSeeDeliveries(() => ledger));
    describe("keeps disputes and", () => disputesAreKept(() => ledger));
    describe("shows operators its disputes and", () => operatorsSeeDisputes(() => ledger));
    describe("lets go of personal data and", () => personalDataLeaves(() => ledger));
    describe("lets go of a store and", () => storesLeave(() => ledger));
    describe("counts the calls of a credential and", () => callsAreCounted(() => ledger));
  });
}
