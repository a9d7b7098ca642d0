import type { Page, PaymentState } from "@tillkit/core";
import { expect, it } from "vitest";
import type { LedgerOfTest } from "./payment-ledger-contract.ts";
import { claim, delivery, given, givenPayments, job, NOON, ORDER, payment } from "./samples.ts";

const HOUR = 3_600_000;

export function operatorsSeePayments(ledger: LedgerOfTest): void {
  it("counts them by state, of one store or of all", async () => {
    expect(await ledger().countPayments()).toMatchObject({ intent: 0, recorded: 0, refunded: 0 });
    await givenOrders(ledger(), ["recorded", "recorded", "review"]);
    await givenPayments(ledger(), payment("elsewhere", { ref: { storeId: "shoes", orderId: "1" }, state: "recorded" }));
    expect(await ledger().countPayments()).toMatchObject({ recorded: 3, review: 1, open: 0 });
    expect(await ledger().countPayments({ storeId: "hats" })).toMatchObject({ recorded: 2, review: 1 });
    expect(await ledger().countPayments({ storeId: "nowhere" })).toMatchObject({ recorded: 0 });
  });

  it("lists them newest first, of equal times the one that was added later", async () => {
    const times = [NOON, NOON + HOUR, NOON, NOON - HOUR];
    for (const [index, createdAt] of times.entries()) {
      await givenPayments(ledger(), payment(`p${index}`, { createdAt, ref: order(index), state: "recorded" }));
    }
    const { rows, next } = await ledger().listPayments({ limit: 10 });
    expect(idsOf(rows)).toEqual(["p1", "p2", "p0", "p3"]);
    expect(next).toBeNull();
    expect(rows[0]).toEqual(await ledger().find({ id: "p1" }));
  });

  it("gives every payment once when one goes from page to page, whatever is added meanwhile", async () => {
    const states: readonly PaymentState[] = ["recorded", "review", "open", "expired", "recorded", "refunded", "closed"];
    for (const [index, state] of states.entries()) {
      await givenPayments(ledger(), payment(`p${index}`, { state, ref: order(index), createdAt: NOON + (index % 3) }));
    }
    const all = idsOf((await ledger().listPayments({ limit: 99 })).rows);
    const seen: string[] = [];
    let pages = 0;
    for (let after: string | null = ""; after !== null; pages += 1) {
      const page = await ledger().listPayments({ limit: 3, ...(after === "" ? {} : { after }) });
      seen.push(...idsOf(page.rows));
      after = page.next;
      await givenPayments(ledger(), payment(`new ${pages}`, { ref: order(90 + pages), createdAt: NOON + HOUR }));
    }
    expect(seen).toEqual(all);
    expect(pages).toBe(3);
  });

  it("ends a list exactly at its last page", async () => {
    await givenOrders(ledger(), ["recorded", "recorded"]);
    const first = await ledger().listPayments({ limit: 1 });
    expect(first.next).not.toBeNull();
    const second = await ledger().listPayments({ limit: 1, after: first.next ?? "" });
    expect(second.rows).toHaveLength(1);
    expect(second.next).toBeNull();
  });

  it("narrows a list by store, order, states and time of creation, and by all of them together", async () => {
    await givenPayments(
      ledger(),
      payment("p0", { state: "recorded", createdAt: NOON }),
      payment("p1", { state: "superseded", createdAt: NOON + 1 }),
      payment("p2", { state: "review", ref: order(2), createdAt: NOON + 2 }),
      payment("p3", { state: "review", ref: { storeId: "shoes", orderId: ORDER.orderId }, createdAt: NOON + 3 }),
    );
    const list = async (want: object) => idsOf((await ledger().listPayments({ limit: 9, ...want })).rows);
    expect(await list({ storeId: "hats" })).toEqual(["p2", "p1", "p0"]);
    expect(await list({ orderId: ORDER.orderId })).toEqual(["p3", "p1", "p0"]);
    expect(await list({ states: ["review", "superseded"] })).toEqual(["p3", "p2", "p1"]);
    expect(await list({ states: [] })).toEqual([]);
    expect(await list({ from: NOON + 1, until: NOON + 3 })).toEqual(["p2", "p1"]);
    expect(await list({ storeId: "hats", orderId: ORDER.orderId, states: ["recorded"], until: NOON + 1 })).toEqual([
      "p0",
    ]);
  });

  it("refuses an `after` that no list gave", async () => {
    for (const after of ["", "p1", "bnVsbA", "eyJhIjoxfQ"]) {
      await expect(ledger().listPayments({ limit: 1, after })).rejects.toThrow(RangeError);
    }
  });
}

export function operatorsSeeJobs(ledger: LedgerOfTest): void {
  it("counts what is due, what waits and what a person has to look at", async () => {
    expect(await ledger().countJobs(NOON)).toEqual({ due: 0, waiting: 0, dead: 0 });
    await given(ledger(), { jobs: [0, 0, 0, 1, 2].map((wait) => job({ dueAt: NOON + wait })) });
    const [leased, given_up] = await claim(ledger(), { limit: 2 });
    expect(leased).toBeDefined();
    await given(ledger(), { retried: [{ id: given_up?.id ?? "", dueAt: null, error: "reconnect" }] });
    expect(await ledger().countJobs(NOON)).toEqual({ due: 1, waiting: 3, dead: 1 });
    expect(await ledger().countJobs(NOON + 2)).toEqual({ due: 3, waiting: 1, dead: 1 });
  });

  it("lists them newest first, page by page, with when they may be claimed and why they wait", async () => {
    await given(ledger(), { jobs: ["one", "two", "three"].map((payload) => job({ payload })) });
    const [first] = await claim(ledger(), { limit: 1 });
    const error = "the store was away";
    await given(ledger(), { retried: [{ id: first?.id ?? "", dueAt: NOON + 5, error }] });
    const page = await ledger().listJobs({ limit: 2 });
    expect(page.rows.map(({ payload }) => payload)).toEqual(["three", "two"]);
    expect(page.rows[0]).toMatchObject({ readyAt: NOON, error: null, attempts: 0 });
    const rest = await ledger().listJobs({ limit: 2, after: page.next ?? "" });
    expect(rest).toEqual({ rows: [{ ...first, dueAt: NOON + 5, readyAt: NOON + 5, error }], next: null });
  });

  it("tells dead letters from the living, and jobs of a store or a payment from those of others", async () => {
    await given(ledger(), {
      jobs: [job({ payload: "dead" }), job({ payload: "other", storeId: "shoes", paymentId: "p2" }), nobodys()],
    });
    const dead = (await claim(ledger())).find(({ payload }) => payload === "dead");
    await given(ledger(), { retried: [{ id: dead?.id ?? "", dueAt: null, error: "reconnect" }] });
    const list = async (want: object) => {
      return (await ledger().listJobs({ limit: 9, ...want })).rows.map(({ payload }) => payload);
    };
    expect(await list({ dead: true })).toEqual(["dead"]);
    expect(await list({ dead: false })).toEqual(["nobody's", "other"]);
    expect(await list({ storeId: "hats" })).toEqual(["dead"]);
    expect(await list({ paymentId: "p2" })).toEqual(["other"]);
    expect((await ledger().listJobs({ limit: 1, dead: true })).rows[0]).toMatchObject({
      readyAt: null,
      error: "reconnect",
    });
  });

  it("tells what was tried often from what was not, however much is younger", async () => {
    await given(ledger(), { jobs: [job({ payload: "often" })] });
    for (const dueAt of [NOON, NOON + 5]) {
      const [tried] = await claim(ledger());
      await given(ledger(), { retried: [{ id: tried?.id ?? "", dueAt, error: "unavailable" }] });
    }
    await given(ledger(), { jobs: ["a", "b", "c"].map((payload) => job({ payload })) });
    const tried = await ledger().listJobs({ tries: 2, limit: 1 });
    expect(tried.rows.map(({ payload, attempts }) => [payload, attempts])).toEqual([["often", 2]]);
    expect(tried.next).toBeNull();
    expect((await ledger().listJobs({ tries: 3, limit: 9 })).rows).toEqual([]);
  });

  it("gives a dead letter that somebody retries anew its attempts back", async () => {
    await given(ledger(), { jobs: [job()] });
    const [first] = await claim(ledger());
    const id = first?.id ?? "";
    await given(ledger(), { retried: [{ id, dueAt: null, error: "reconnect" }] });
    await given(ledger(), { retried: [{ id, dueAt: NOON, error: "reconnected", anew: true }] });
    expect((await claim(ledger()))[0]?.attempts).toBe(1);
    await given(ledger(), { retried: [{ id, dueAt: NOON + 1, error: "away", anew: false }] });
    expect((await claim(ledger(), { now: NOON + 1 }))[0]?.attempts).toBe(2);
  });
}

export function operatorsSeeDeliveries(ledger: LedgerOfTest): void {
  const hear = (text: string, change: object = {}) => {
    const one = {
      endpointId: "endpoint-1",
      digest: `digest of ${text}`,
      outcome: "processed",
      paymentId: null,
      processedAt: NOON,
    };
    return given(ledger(), { processed: [{ ...one, ...change } as never] });
  };

  it("counts them by what came of them", async () => {
    expect(await ledger().countDeliveries()).toMatchObject({ waiting: 0, processed: 0, orphan: 0 });
    await ledger().receive(["one", "two", "three"].map((text) => delivery(text)));
    await hear("one", { paymentId: "p1" });
    await hear("two", { outcome: "unrelated" });
    expect(await ledger().countDeliveries()).toMatchObject({ waiting: 1, processed: 1, unrelated: 1, orphan: 0 });
  });

  it("lists them newest first, page by page, with their payment and the size of their body", async () => {
    await ledger().receive([3, 1, 2].map((minute) => delivery(`at ${minute}`, { receivedAt: NOON + minute })));
    await hear("at 2", { paymentId: "p1" });
    const page = await ledger().listDeliveries({ limit: 2 });
    expect(page.rows.map(({ digest }) => digest)).toEqual(["digest of at 3", "digest of at 2"]);
    expect(page.rows[1]).toEqual({
      endpointId: "endpoint-1",
      digest: "digest of at 2",
      receivedAt: NOON + 2,
      byteLength: 4,
      outcome: "processed",
      paymentId: "p1",
    });
    const rest = await ledger().listDeliveries({ limit: 2, after: page.next ?? "" });
    expect(rest).toMatchObject({ rows: [{ digest: "digest of at 1", outcome: null, paymentId: null }], next: null });
  });

  it("goes through deliveries of one moment without leaving one out or giving one twice", async () => {
    await ledger().receive(Array.from({ length: 7 }, (_, index) => delivery(`event ${index}`)));
    await hear("event 3", { outcome: "unreadable" });
    const seen: string[] = [];
    for (let after: string | null = ""; after !== null; ) {
      const page: Page<{ digest: string }> = await ledger().listDeliveries({
        limit: 2,
        ...(after === "" ? {} : { after }),
      });
      seen.push(...page.rows.map(({ digest }) => digest));
      after = page.next;
    }
    expect(new Set(seen).size).toBe(7);
    expect(seen).toHaveLength(7);
  });

  it("tells apart what waits, what came of it, and whose it was", async () => {
    await ledger().receive(["one", "two", "three"].map((text) => delivery(text)));
    await hear("one", { paymentId: "p1" });
    await hear("two", { outcome: "orphan", paymentId: "lost" });
    const list = async (want: object) => {
      return (await ledger().listDeliveries({ limit: 9, ...want })).rows.map(({ digest }) => digest);
    };
    expect(await list({ outcome: "waiting" })).toEqual(["digest of three"]);
    expect(await list({ outcome: "orphan" })).toEqual(["digest of two"]);
    expect(await list({ paymentId: "p1" })).toEqual(["digest of one"]);
    expect(await list({ paymentId: "p1", outcome: "orphan" })).toEqual([]);
  });

  it("keeps what came of a delivery out of a change that is refused, and passes over one that is not there", async () => {
    await ledger().receive([delivery("one")]);
    const heard = [
      { endpointId: "endpoint-1", digest: "digest of one", outcome: "processed", paymentId: null, processedAt: NOON },
    ] as const;
    const stale = { next: payment("p1", { version: 3 }), expect: 2 };
    expect(await ledger().commit({ payment: stale, processed: heard, timeline: [] })).toBe("stale");
    expect((await ledger().countDeliveries()).waiting).toBe(1);
    await hear("nothing");
    await hear("one", { endpointId: "endpoint-2" });
    expect(await ledger().countDeliveries()).toMatchObject({ waiting: 1, processed: 0 });
  });
}

function order(index: number) {
  return { storeId: "hats", orderId: `order-${index + 1}` };
}

function idsOf(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id);
}

async function givenOrders(ledger: ReturnType<LedgerOfTest>, states: readonly PaymentState[]): Promise<void> {
  for (const [index, state] of states.entries()) {
    await givenPayments(ledger, payment(`p${index}`, { ref: order(index), state }));
  }
}

function nobodys() {
  return job({ payload: "nobody's", storeId: null, paymentId: null });
}
