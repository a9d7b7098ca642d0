import { signWebhook } from "@tillkit/client/webhooks";
import type { Service } from "../../src/hosts.ts";
import { confirmPayment, type Engine, receiveWebhook, refundPayment } from "../../src/index.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { startAndPay } from "../fixture/steps.ts";

export const francs = (minor: number) => ({ minor, currency: "XOF" });

/** The fixture's order is marked paid by a payment of 5,000 F CFA. */
export async function fixtureWithPaidOrder(): Promise<{ fixture: EngineFixture; paymentId: string }> {
  const fixture = createEngineFixture();
  const paymentId = await startAndPay(fixture);
  await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
  return { fixture, paymentId };
}

/** The engine with a service whose methods are partly replaced. */
export function withService(engine: Engine, change: (service: Service) => Partial<Service>): Engine {
  const { tenants } = engine;
  const service = async (credentialId: string) => {
    const usual = await tenants.service(credentialId);
    return { ...usual, ...change(usual) };
  };
  return { ...engine, tenants: { ...tenants, service } };
}

export function refund(fixture: EngineFixture, paymentId: string, minor: number, key: string) {
  return refundPayment(fixture.engine, { paymentId, key, amount: francs(minor), origin: "store" });
}

export async function deliver(fixture: EngineFixture, id: string, event: string, data: Record<string, unknown>) {
  const bytes = new TextEncoder().encode(JSON.stringify({ id, event, data }));
  await receiveWebhook(fixture.engine, { endpointId: "main", bytes, signature: signWebhook(bytes, "whsec_test") });
  await fixture.work();
}

/** The sum that the service has refunded. */
export const refundedTotal = (fixture: EngineFixture) =>
  fixture.service.refunds.reduce((sum, { wireAmount = 0 }) => sum + wireAmount, 0);

/** A merchant refunds this amount in the service's dashboard. The service gives the refund the id `refund-9`. */
export function addDashboardRefund({ service }: EngineFixture, wireAmount: number, createdAt?: number): void {
  service.refunds.push({ key: "dashboard", id: "refund-9", status: "completed", wireAmount, createdAt });
}
