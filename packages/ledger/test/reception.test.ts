import type { Delivery } from "@tillkit/core";
import { expect, test } from "vitest";
import { createReception } from "../src/reception.ts";

const delivery = (digest: string, size = 10): Delivery => ({
  endpointId: "endpoint-1",
  digest,
  bytes: new Uint8Array(size),
  receivedAt: 0,
});

/** A database that writes when it is told to; what each of its commits held. */
function slowDatabase() {
  const commits: string[][] = [];
  const ends: ((error?: Error) => void)[] = [];
  const keep = async (take: () => readonly Delivery[]) => {
    commits.push(take().map(({ digest }) => digest));
    const error = await new Promise<Error | undefined>((resolve) => ends.push(resolve));
    if (error) throw error;
  };
  const endCommit = async (error?: Error) => {
    ends.shift()?.(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { commits, keep, endCommit };
}

test("deliveries that come while others are being kept share the next commit", async () => {
  const { commits, keep, endCommit } = slowDatabase();
  const receive = createReception(keep);
  const all = ["first", "second", "third"].map((digest) => receive([delivery(digest)]));
  await endCommit();
  await endCommit();
  await Promise.all(all);
  expect(commits).toEqual([["first"], ["second", "third"]]);
});

test("a delivery is acknowledged by its own commit, not by the one before", async () => {
  const { keep, endCommit } = slowDatabase();
  const receive = createReception(keep);
  const acknowledged: string[] = [];
  const all = ["first", "second"].map((digest) => receive([delivery(digest)]).then(() => acknowledged.push(digest)));
  await endCommit();
  expect(acknowledged).toEqual(["first"]);
  await endCommit();
  await Promise.all(all);
});

test("a commit that fails is everybody's answer who was in it, and nobody else's", async () => {
  const { keep, endCommit } = slowDatabase();
  const receive = createReception(keep);
  const outcomes = Promise.allSettled(["first", "second", "third"].map((digest) => receive([delivery(digest)])));
  await endCommit();
  await endCommit(new Error("The disk is full."));
  expect((await outcomes).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  const later = receive([delivery("later")]);
  await endCommit();
  await later;
});

test("large bodies do not all go into one commit", async () => {
  const { commits, keep, endCommit } = slowDatabase();
  const receive = createReception(keep);
  const all = ["a", "b", "c", "d"].map((digest) => receive([delivery(digest, 2 * 1024 * 1024)]));
  for (let commit = 0; commit < 3; commit += 1) await endCommit();
  await Promise.all(all);
  expect(commits).toEqual([["a"], ["b", "c"], ["d"]]);
});

test("the same rows are written when the database asks to run the transaction again", async () => {
  const tries: number[] = [];
  const receive = createReception(async (take) => {
    tries.push(take().length, take().length);
  });
  await receive([delivery("once")]);
  expect(tries).toEqual([1, 1]);
});
