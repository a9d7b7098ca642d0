import { limits } from "@tillkit/core";
import { expect, it } from "vitest";
import type { GetLedger } from "./samples.ts";
import { claim, commit, job, NOON } from "./samples.ts";

export function testJobFairness(getLedger: GetLedger): void {
  it("one claim takes a limited number of jobs per store, and later claims take the rest", async () => {
    await commit(getLedger(), {
      jobs: manyJobs({ storeId: "hats", count: limits.claimedJobsPerStore * 2 + 5, dueAt: NOON - 100 }),
    });
    for (const claimedJobs of [limits.claimedJobsPerStore, limits.claimedJobsPerStore, 5, 0]) {
      expect(await claim(getLedger())).toHaveLength(claimedJobs);
    }
  });

  it("the first claim includes a store with a single new job, however long other stores have been waiting", async () => {
    await commit(getLedger(), {
      jobs: [
        ...manyJobs({ storeId: "hats", count: 40, dueAt: NOON - 100 }),
        ...manyJobs({ storeId: "shoes", count: 40, dueAt: NOON - 90 }),
      ],
    });
    await commit(getLedger(), { jobs: [job({ storeId: "gloves", dueAt: NOON })] });
    const claimed = await claim(getLedger(), { limit: 5 });
    expect(claimed.filter(({ storeId }) => storeId === "gloves")).toHaveLength(1);
    expect(claimed.filter(({ storeId }) => storeId === "hats")).toHaveLength(2);
    expect(claimed.filter(({ storeId }) => storeId === "shoes")).toHaveLength(2);
  });

  it("a claim for fewer jobs than there are stores starts with the store whose job has waited longest", async () => {
    const jobs = ["hats", "shoes", "gloves"].map((storeId, index) => job({ storeId, dueAt: NOON - index }));
    await commit(getLedger(), { jobs });
    const claimed = await claim(getLedger(), { limit: 2 });
    expect(claimed.map(({ storeId }) => storeId)).toEqual(["gloves", "shoes"]);
  });

  it("jobs without a store count as one store, so that a flood of webhooks starves no other store", async () => {
    await commit(getLedger(), {
      jobs: [
        ...manyJobs({ storeId: null, count: 50, dueAt: NOON - 100 }),
        ...manyJobs({ storeId: "hats", count: 3, dueAt: NOON }),
      ],
    });
    const claimed = await claim(getLedger());
    expect(claimed.filter(({ storeId }) => storeId === null)).toHaveLength(limits.claimedJobsPerStore);
    expect(claimed.filter(({ storeId }) => storeId === "hats")).toHaveLength(3);
  });
}

function manyJobs({ storeId, count, dueAt }: { storeId: string | null; count: number; dueAt: number }) {
  return Array.from({ length: count }, () => job({ storeId, dueAt }));
}
