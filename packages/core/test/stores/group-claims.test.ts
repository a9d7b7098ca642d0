import { describe, expect, it } from "vitest";
import { createMemoryLedger } from "../../src/memory.ts";
import { createGroupClaims } from "../../src/payment-groups.ts";

const ref = { storeId: "acme", orderId: "group-1" };
const pending = { paymentId: "payment-1", state: "pending" } as const;

function openClaims() {
  return createGroupClaims(createMemoryLedger().records, "group");
}

describe("the claim of a payment group", () => {
  it("a payment that the store has certainly not recorded leaves the group to another payment", async () => {
    const claims = openClaims();
    await claims.release(ref, await claims.claim(ref, pending));
    expect(await claims.claim(ref, { ...pending, paymentId: "payment-2" })).toMatchObject({ isFirst: true });
  });

  it("a payment whose money has gone back leaves the group to another payment, unless the store has confirmed it", async () => {
    const claims = openClaims();
    await claims.claim(ref, pending);
    const next = { ...pending, paymentId: "payment-2" } as const;
    expect(await claims.claim(ref, next)).toMatchObject({ paymentId: "payment-1", isFirst: false });
    expect(await claims.claim(ref, next, ["payment-1"])).toMatchObject({ paymentId: "payment-2", isFirst: true });
    await claims.claim(ref, { ...next, state: "acknowledged" });
    expect(await claims.claim(ref, pending, ["payment-2"])).toMatchObject({ paymentId: "payment-2" });
  });

  it("a process that slept does not release what another has acknowledged meanwhile", async () => {
    const claims = openClaims();
    const held = await claims.claim(ref, pending);
    await claims.claim(ref, { ...pending, state: "acknowledged" });
    await claims.release(ref, held);
    expect(await claims.find(ref)).toMatchObject({ paymentId: "payment-1", state: "acknowledged" });
  });

  it("a process that slept does not release what another is writing", async () => {
    const claims = openClaims();
    const held = await claims.claim(ref, pending);
    const later = await claims.claim(ref, pending);
    expect(later.isFirst).toBe(false);
    await claims.release(ref, held);
    expect(await claims.claim(ref, { ...pending, paymentId: "payment-2" })).toMatchObject({ paymentId: "payment-1" });
    await claims.release(ref, later);
    expect(await claims.find(ref)).toBeNull();
  });
});
