import type { Delivery } from "@tillkit/core/ledger";
import { expect, test } from "vitest";
import { createDeliveryBatcher } from "../src/deliveries/deliveries.ts";

const newDelivery = (digest: string, size = 10): Delivery => ({
  endpointId: "endpoint-1",
  digest,
  bytes: new Uint8Array(size),
  receivedAt: 0,
});

/** A database whose commits end when `endCommit` is called. `commits` are the digests in each commit. */
function createSlowDatabase() {
  const commits: string[][] = [];
  const ends: ((error?: Error) => void)[] = [];
  const store = async (take: () => readonly Delivery[]) => {
    commits.push(take().map(({ digest }) => digest));
    const error = await new Promise<Error | undefined>((resolve) => ends.push(resolve));
    if (error) throw error;
  };
  const endCommit = async (error?: Error) => {
    ends.shift()?.(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { commits, store, endCommit };
}

test("deliveries that arrive during a commit share the next commit", async () => {
  const { commits, store, endCommit } = createSlowDatabase();
  const receive = createDeliveryBatcher(store);
  const all = ["first", "second", "third"].map((digest) => receive([newDelivery(digest)]));
  await endCommit();
  await endCommit();
  await Promise.all(all);
  expect(commits).toEqual([["first"], ["second", "third"]]);
});

test("a delivery is acknowledged by its own commit, not by the previous one", async () => {
  const { store, endCommit } = createSlowDatabase();
  const receive = createDeliveryBatcher(store);
  const acknowledged: string[] = [];
  const all = ["first", "second"].map((digest) => receive([newDelivery(digest)]).then(() => acknowledged.push(digest)));
  await endCommit();
  expect(acknowledged).toEqual(["first"]);
  await endCommit();
  await Promise.all(all);
});

test("a commit that fails rejects the deliveries in it and no others", async () => {
  const { store, endCommit } = createSlowDatabase();
  const receive = createDeliveryBatcher(store);
  const outcomes = Promise.allSettled(["first", "second", "third"].map((digest) => receive([newDelivery(digest)])));
  await endCommit();
  await endCommit(new Error("The disk is full."));
  expect((await outcomes).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  const later = receive([newDelivery("later")]);
  await endCommit();
  await later;
});

test("deliveries with large bodies are split over several commits", async () => {
  const { commits, store, endCommit } = createSlowDatabase();
  const receive = createDeliveryBatcher(store);
  // A commit has room for two of these bodies. The first delivery is stored alone, because nothing else waits yet.
  const all = ["a", "b", "c", "d"].map((digest) => receive([newDelivery(digest, 2 * 1024 * 1024)]));
  for (let commit = 0; commit < 3; commit += 1) await endCommit();
  await Promise.all(all);
  expect(commits).toEqual([["a"], ["b", "c"], ["d"]]);
});

test("a batch writes the same rows again when the database repeats the transaction", async () => {
  const rowCounts: number[] = [];
  const receive = createDeliveryBatcher(async (take) => {
    rowCounts.push(take().length, take().length);
  });
  await receive([newDelivery("once")]);
  expect(rowCounts).toEqual([1, 1]);
});
