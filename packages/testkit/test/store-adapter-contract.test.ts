import { readFileSync } from "node:fs";
import { money, type Order, type StoreAdapter } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import {
  createCallbackStore,
  createManualClock,
  createReadThenWriteStore,
  createWriteOnlyStore,
  type MiniatureStore,
  type ReadThenWriteStore,
  type StoreAdapterHarness,
  skipReason,
  storeAdapterRules,
} from "@tillkit/testkit";
import { describe, expect, it } from "vitest";
import { miniatureHarness, ONE_ATTEMPT, refundsShownBy } from "./miniature-harness.ts";

/** Makes an adapter with one error from a correct adapter. */
type Damage = (correct: StoreAdapter) => StoreAdapter;
const unchanged: Damage = (adapter) => adapter;

describe("the store adapter contract and wrong adapters", () => {
  it("the contract accepts a correct adapter", async () => {
    expect(await brokenRules(readThenWriteShop(unchanged))).toEqual([]);
    expect(await brokenRules(callbackShop(unchanged))).toEqual([]);
    expect(await brokenRules(writeOnlyShop(unchanged))).toEqual([]);
  });

  it("the contract rejects an adapter that writes without reading first", async () => {
    const writesAtOnce = (adapter: StoreAdapter, { rest }: ReadThenWriteStore): StoreAdapter => ({
      ...adapter,
      markPaid: async ({ ref, paymentId }) => {
        await rest.putOrder(ref.orderId, { status: "pending", set_paid: true, transaction_id: paymentId });
        return { outcome: "recorded", evidence: "read-back" };
      },
    });
    const broken = await brokenRules(readThenWriteShop(writesAtOnce));
    expect(broken).toContain("repeated calls of markPaid with the same payment pay the order once");
    expect(broken).toContain("another payment of a paid order is refused and changes nothing");
    expect(broken).toContain("a cancelled order is not marked paid");
    expect(broken).toContain("an order that was paid outside Tillkit is not paid again");
  });

  it("the contract rejects an adapter that ships again when a call is repeated", async () => {
    const shipsAgain = (adapter: StoreAdapter, { rest }: ReadThenWriteStore): StoreAdapter => ({
      ...adapter,
      markPaid: async (receipt) => {
        const put = () => rest.putOrder(receipt.ref.orderId, { set_paid: true, transaction_id: receipt.paymentId });
        if ((await rest.getOrder(receipt.ref.orderId))?.status === "pending") await Promise.all([put(), put()]);
        return await adapter.markPaid(receipt);
      },
    });
    expect(await brokenRules(readThenWriteShop(shipsAgain))).toContain(
      "markPaid marks an order paid, and the shop itself shows it",
    );
  });

  it("the contract rejects an adapter that repeats a write while the first write may still take effect", async () => {
    const retriesByItself: Damage = (adapter) => ({
      ...adapter,
      markPaid: (receipt) => adapter.markPaid(receipt).catch(() => adapter.markPaid(receipt)),
    });
    const broken = await brokenRules(readThenWriteShop(retriesByItself));
    expect(broken).toContain("a write that takes effect after its caller gave up pays the order once");
    expect(broken).toContain("an order is paid once although the answer to the paying write was lost");
  });

  it("the contract rejects an adapter that only remembers payments and never writes them", async () => {
    const neverWrites: Damage = (adapter) => {
      const paid = new Map<string, string>();
      return {
        ...changeOrder(adapter, ({ ref }) => ({ paidBy: paid.get(ref.orderId) ?? null })),
        markPaid: async ({ ref, paymentId }) => {
          const outcome = paid.get(ref.orderId) === paymentId ? "already" : "recorded";
          paid.set(ref.orderId, paymentId);
          return { outcome, evidence: "read-back" };
        },
      };
    };
    const broken = await brokenRules(callbackShop(neverWrites));
    expect(broken).toContain("markPaid marks an order paid, and the shop itself shows it");
    expect(broken).toContain("a restarted adapter reads the order from the shop, not from memory");
  });

  it("the contract rejects an adapter that remembers a payment before the shop has stored it", async () => {
    const remembersTooEarly: Damage = (adapter) => {
      const calls = new Set<string>();
      return {
        ...adapter,
        markPaid: async (receipt) => {
          if (calls.has(receipt.paymentId)) return { outcome: "already", evidence: "read-back" };
          calls.add(receipt.paymentId);
          return await adapter.markPaid(receipt);
        },
      };
    };
    const broken = await brokenRules(readThenWriteShop(remembersTooEarly));
    expect(broken).toEqual([
      "a lost request does not count as paid, and the next attempt pays the order",
      "an order stays unpaid while its shop is down, and is paid when the shop is back",
    ]);
  });

  it("the contract rejects an adapter that answers another payment of a paid order with already", async () => {
    const acceptsAny: Damage = (adapter) => ({
      ...adapter,
      markPaid: async (receipt) => {
        const answer = await adapter.markPaid(receipt);
        return answer.outcome === "other-payment" ? { outcome: "already", evidence: "read-back" } : answer;
      },
    });
    expect(await brokenRules(callbackShop(acceptsAny))).toEqual([
      "of ten concurrent payments, one pays the order and the others are refused",
      "another payment of a paid order is refused and changes nothing",
      "an order that was paid outside Tillkit is not paid again",
    ]);
  });

  it("the contract rejects an adapter that reads every amount as francs", async () => {
    const francsOnly: Damage = (adapter) =>
      changeOrder(adapter, (order) => ({ total: money(order.total.minor, "XOF") }));
    expect(await brokenRules(readThenWriteShop(francsOnly))).toEqual([
      "amounts in USD are exact",
      "findOrder returns an order's total in the order's own currency",
    ]);
  });

  it("the contract rejects an adapter that computes with floating point", async () => {
    const floats: Damage = (adapter) =>
      changeOrder(adapter, ({ total }) => ({ total: { ...total, minor: Math.floor((total.minor / 100) * 100) } }));
    expect(await brokenRules(readThenWriteShop(floats))).toContain("amounts in USD are exact");
  });

  it("the contract rejects an adapter that claims to have read an order back from a shop without reads", async () => {
    const claimsReadBack: Damage = (adapter) => ({
      ...adapter,
      markPaid: async (receipt) => {
        const answer = await adapter.markPaid(receipt);
        return "evidence" in answer ? { ...answer, evidence: "read-back" } : answer;
      },
    });
    expect(await brokenRules(writeOnlyShop(claimsReadBack))).toEqual([
      "the evidence is read-back if the shop can be read and acknowledged if it cannot",
    ]);
  });

  it("the contract rejects an adapter that does not distinguish a shop that is down from a lost answer", async () => {
    const anyError: Damage = (adapter) => ({
      ...adapter,
      markPaid: (receipt) =>
        adapter.markPaid(receipt).catch((cause: unknown) => {
          throw new Error("Something went wrong.", { cause });
        }),
    });
    const broken = await brokenRules(writeOnlyShop(anyError));
    expect(broken).toContain("an order stays unpaid while its shop is down, and is paid when the shop is back");
    expect(broken).toContain("an order is paid once although the answer to the paying write was lost");
  });

  it("the contract rejects an adapter that ignores the store id", async () => {
    const anyShop: Damage = (adapter) => {
      const inOwnShop = (ref: { orderId: string }) => ({ ...ref, storeId: "read-then-write-shop" });
      return {
        ...adapter,
        findOrder: (ref, attempt) => adapter.findOrder(inOwnShop(ref), attempt),
        markPaid: (receipt) => adapter.markPaid({ ...receipt, ref: inOwnShop(receipt.ref) }),
      };
    };
    expect(await brokenRules(readThenWriteShop(anyShop))).toEqual([
      "an order of another shop is never found, even under the same order number",
    ]);
  });

  it("the contract rejects an adapter that hides holds from the owner, and an adapter that repeats holds", async () => {
    const hides: Damage = (adapter) => ({ ...adapter, holdForReview: async () => {} });
    expect(await brokenRules(readThenWriteShop(hides))).toEqual([
      "a payment that differs from its order is shown to the owner and does not pay the order",
      "the same finding is shown once, and a different finding is shown too",
    ]);
    let calls = 0;
    const repeats: Damage = (adapter) => ({
      ...adapter,
      holdForReview: (ref, attempt, finding) => {
        calls += 1;
        return adapter.holdForReview(ref, attempt, { ...finding, ...{ calls } });
      },
    });
    expect(await brokenRules(readThenWriteShop(repeats))).toEqual([
      "the same finding is shown once, and a different finding is shown too",
    ]);
  });
});

describe("the message of the contract to the author of a wrong adapter", () => {
  it.each<
    [name: string, damage: (adapter: StoreAdapter, store: ReadThenWriteStore) => StoreAdapter, complaint: RegExp]
  >([
    [
      "pays twice",
      (adapter, { rest }) => ({
        ...adapter,
        markPaid: async (receipt) => {
          const put = () => rest.putOrder(receipt.ref.orderId, { set_paid: true, transaction_id: receipt.paymentId });
          await Promise.all([put(), put()]);
          return await adapter.markPaid(receipt);
        },
      }),
      /^markPaid must .*\nWhat to do: Write to the shop once.*\nRead: node_modules\/@tillkit\/core\/docs\/quick-start\/own-platform\.md$/,
    ],
    [
      "ignores the currency",
      (adapter) => ({
        ...adapter,
        markPaid: async (receipt) => {
          const order = await adapter.findOrder(receipt.ref, receipt.attempt);
          const isSameNumber = order?.total.minor === receipt.total.minor;
          return await adapter.markPaid(order && isSameNumber ? { ...receipt, total: order.total } : receipt);
        },
      }),
      /^markPaid must return the outcome "not-payable", but it returned .*"recorded".*\nWhat to do: Compare the currency/,
    ],
    [
      "says that it paid an order which the shop refused",
      (adapter) => ({
        ...adapter,
        markPaid: async (receipt) => {
          const answer = await adapter.markPaid(receipt);
          return answer.outcome === "not-payable" ? { outcome: "recorded", evidence: "read-back" } : answer;
        },
      }),
      /^markPaid must return the outcome "not-payable".*\nWhat to do: If the order cannot be paid any more, write nothing/,
    ],
    [
      "claims that its writes are conditional",
      (adapter) => ({ ...adapter, writes: { kind: "conditional" } }),
      /\nWhat to do: Your writes are not conditional: two concurrent writes both succeeded.*read-then-write/,
    ],
    [
      "loses refunds",
      (adapter) => ({ ...adapter, recordRefund: async () => ({ outcome: "recorded", evidence: "acknowledged" }) }),
      /^recordRefund must .*\nWhat to do: Store `refundId` with the refund in the shop/,
    ],
    [
      "writes every refund with the order's total",
      (adapter) => ({
        ...adapter,
        recordRefund: async (refund) => {
          const order = await adapter.findOrder(refund.ref, refund.attempt);
          return (await adapter.recordRefund?.({ ...refund, amount: order?.total ?? refund.amount })) as never;
        },
      }),
      /^recordRefund must leave refunds of 1250 XOF and 1250 XOF in the shop, but the shop shows 5000 XOF and 5000 XOF/,
    ],
    [
      "records the refund of a duplicate payment on the order",
      (adapter) => ({
        ...adapter,
        recordRefund: async (refund) => {
          const paymentId = (await adapter.findOrder(refund.ref, refund.attempt))?.paidBy ?? refund.paymentId;
          return (await adapter.recordRefund?.({ ...refund, paymentId })) as never;
        },
      }),
      /^recordRefund must leave refunds of nothing.*\nWhat to do: Record a refund only if the order shows `paymentId`/,
    ],
    [
      "cancels the order when the shopper comes back",
      (adapter, store) => ({
        ...adapter,
        shopperUrl: async (ref, attempt, outcome) => {
          if (outcome === "cancelled") store.cancelOrder(ref.orderId);
          return await adapter.shopperUrl(ref, attempt, outcome);
        },
      }),
      /^shopperUrl\("cancelled"\) must leave the order as it was.*\nWhat to do: Let shopperUrl compute an address/,
    ],
    [
      "returns a relative address",
      (adapter) => ({ ...adapter, shopperUrl: async () => "/thank-you" }),
      /^The address that shopperUrl returns for "paid" must be a whole address/,
    ],
    [
      "reopens an order that its owner cancelled",
      (adapter, { rest }) => ({
        ...adapter,
        holdForReview: async (ref, attempt, finding) => {
          await rest.putOrder(ref.orderId, { status: "pending" });
          await adapter.holdForReview(ref, attempt, finding);
        },
      }),
      /^holdForReview must leave the order cancelled.*\nWhat to do: holdForReview, markPending, markRefused and addNote/,
    ],
  ])("the author of an adapter that %s reads what is wrong and what to do", async (_name, damage, complaint) => {
    const complaints = await complaintsAbout(readThenWriteShop(damage));
    expect(complaints).toContainEqual(expect.stringMatching(complaint));
  });
});

describe("the store adapter contract and a shop without some capabilities", () => {
  it("a rule is skipped only with a reason", async () => {
    const { network: _, ...withoutNetwork } = await readThenWriteShop(unchanged)();
    const rule = storeAdapterRules.find(({ needs }) => needs.includes("network"));
    if (!rule) throw new Error("No rule needs the network.");
    expect(() => skipReason(rule, withoutNetwork)).toThrow(
      'The harness has no "network". Add the part, or give the reason in "unsupported".',
    );
    const reason = "one process, one database";
    expect(skipReason(rule, { ...withoutNetwork, unsupported: { network: reason } })).toBe(reason);
  });

  it("the rules of a currency are skipped if the shop gives a reason for not selling in it", async () => {
    const euroShop = { ...(await readThenWriteShop(unchanged)()), currencies: ["EUR"] as const };
    const inFrancs = storeAdapterRules.find(({ needs }) => needs.includes("XOF"));
    if (!inFrancs) throw new Error("No rule needs francs.");
    expect(() => skipReason(inFrancs, euroShop)).toThrow('Add XOF, or give the reason in "unsupported.XOF".');
    const unsupported = { ...euroShop.unsupported, XOF: "a shop in Lisbon", USD: "does not sell in dollars" };
    const harness = { ...euroShop, unsupported };
    const skipped = storeAdapterRules.filter((rule) =>
      ["a shop in Lisbon", "does not sell in dollars"].includes(skipReason(rule, harness) ?? ""),
    );
    expect(skipped.map(({ title }) => title)).toEqual([
      "amounts in XOF are exact",
      "amounts in USD are exact",
      "findOrder returns an order's total in the order's own currency",
    ]);
    expect(await brokenRules(async () => harness)).toEqual([]);
  });
});

it("the README lists every rule of the contract", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  expect(storeAdapterRules.filter(({ title }) => !readme.includes(title))).toEqual([]);
});

type BrokenRule = { readonly title: string; readonly message: string };

async function findBrokenRules(makeHarness: () => Promise<StoreAdapterHarness>): Promise<BrokenRule[]> {
  const broken: BrokenRule[] = [];
  for (const rule of storeAdapterRules) {
    const harness = await makeHarness();
    if (skipReason(rule, harness) !== null) continue;
    await rule.check(harness).catch(({ message }: Error) => broken.push({ title: rule.title, message }));
  }
  return broken;
}

async function brokenRules(makeHarness: () => Promise<StoreAdapterHarness>): Promise<string[]> {
  return (await findBrokenRules(makeHarness)).map(({ title }) => title);
}

async function complaintsAbout(makeHarness: () => Promise<StoreAdapterHarness>): Promise<string[]> {
  return (await findBrokenRules(makeHarness)).map(({ message }) => message);
}

function callbackShop(damage: Damage): () => Promise<StoreAdapterHarness> {
  return async () => {
    const clock = createManualClock();
    const store = createCallbackStore({ clock, authorize: async () => ({ status: "paid" }) });
    const payOutside: StoreAdapterHarness["payOutside"] = async ({ ref }) => store.payOutside(ref.orderId);
    return damaged(miniatureHarness(store, clock, { payOutside, unsupported: ONE_ATTEMPT }), store, damage);
  };
}

function readThenWriteShop(damage: (adapter: StoreAdapter, store: ReadThenWriteStore) => StoreAdapter) {
  return async () => {
    const clock = createManualClock();
    const store = createReadThenWriteStore({ clock });
    const payOutside: StoreAdapterHarness["payOutside"] = async ({ ref }) => store.payOutside(ref.orderId);
    const harness = miniatureHarness(store, clock, { payOutside, unsupported: ONE_ATTEMPT });
    const probe = { ...harness.probe, refunds: refundsShownBy(store) };
    return damaged({ ...harness, probe }, store, (adapter) => damage(adapter, store));
  };
}

function writeOnlyShop(damage: Damage): () => Promise<StoreAdapterHarness> {
  return async () => {
    const clock = createManualClock();
    const store = createWriteOnlyStore({ clock, records: createMemoryLedger().records });
    const unsupported = {
      readBack: "no read exists",
      titles: "the shop posts none",
      payOutside: "the shop never reports it",
    };
    const secondAttempt: StoreAdapterHarness["secondAttempt"] = ({ ref }) => store.openSecondTab(ref.orderId);
    return damaged(miniatureHarness(store, clock, { secondAttempt, unsupported }), store, damage);
  };
}

function damaged(harness: StoreAdapterHarness, store: MiniatureStore, damage: Damage): StoreAdapterHarness {
  return { ...harness, adapter: damage(store.connect()), restart: async () => damage(store.connect()) };
}

function changeOrder(adapter: StoreAdapter, change: (order: Order) => Partial<Order>): StoreAdapter {
  return {
    ...adapter,
    findOrder: async (ref, attempt) => {
      const order = await adapter.findOrder(ref, attempt);
      return order && { ...order, ...change(order) };
    },
  };
}
