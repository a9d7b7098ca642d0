import type { PaymentLedger, Records } from "@tillkit/core";
import { afterEach, beforeEach, describe } from "vitest";
import { commitsAreWhole } from "./commits.ts";
import { deliveriesAreKeptOnce } from "./deliveries.ts";
import { jobsAreClaimedByOne, jobsEnd } from "./jobs.ts";
import { jobsAreSharedFairly } from "./jobs-fairness.ts";
import { ordersHaveOneWriter } from "./order-locks.ts";
import { paymentsAreFound } from "./payments.ts";
import { recordsBelongToAStore } from "./records.ts";
import { storyIsTold } from "./story.ts";
import { uniqueRulesHold } from "./unique-rules.ts";

/** A ledger with the records that a platform keeps for itself, and a way to let go of it. */
export type LedgerUnderTest = PaymentLedger & { readonly records: Records; close(): Promise<void> };

/** Answers the ledger of the running test. */
export type LedgerOfTest = () => LedgerUnderTest;

/** Everything that PaymentLedger and Records promise. `open` gives an empty ledger; each test gets its own and closes it. */
export function paymentLedgerContract(name: string, { open }: { open(): Promise<LedgerUnderTest> }): void {
  describe(`${name}, as a payment ledger,`, () => {
    let ledger: LedgerUnderTest;
    beforeEach(async () => {
      ledger = await open();
    });
    afterEach(() => ledger.close());

    describe("commits", () => commitsAreWhole(() => ledger));
    describe("has unique rules and", () => uniqueRulesHold(() => ledger));
    describe("finds payments and", () => paymentsAreFound(() => ledger));
    describe("keeps deliveries and", () => deliveriesAreKeptOnce(() => ledger));
    describe("hands out jobs and", () => jobsAreClaimedByOne(() => ledger));
    describe("is fair over stores and", () => jobsAreSharedFairly(() => ledger));
    describe("ends jobs and", () => jobsEnd(() => ledger));
    describe("locks orders and", () => ordersHaveOneWriter(() => ledger));
    describe("tells the story and", () => storyIsTold(() => ledger));
    describe("keeps a platform's records and", () => recordsBelongToAStore(() => ledger));
  });
}
