import type { Service, TransactionReading } from "../../src/hosts.ts";
import { confirmPayment } from "../../src/index.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { startPayment } from "../fixture/steps.ts";
import { withService } from "../refunds/refund-steps.ts";

export const TRUE_ID = "transaction-of-session-1";

/** A service whose reads name no session, no reference and no transaction of a session. */
export function fixtureWithBareReads(change: (service: Service) => Partial<Service> = () => ({})): EngineFixture {
  const fixture = createEngineFixture();
  const bare = (row: TransactionReading): TransactionReading => {
    return { ...row, sessionId: undefined, reference: undefined, createdAt: fixture.clock.now() };
  };
  const reads = (service: Service): Partial<Service> => ({
    readSession: async (payment, deadlineMs) => ({
      ...(await service.readSession(payment, deadlineMs)),
      transactionId: undefined,
    }),
    readTransaction: async (query) => {
      const row = await service.readTransaction(query);
      return row && bare(row);
    },
    async *listTransactions(query) {
      for await (const row of service.listTransactions(query)) yield bare(row);
    },
    ...change(service),
  });
  // The same object, because `work` and `anotherProcess` of the fixture use its tenants.
  Object.assign(fixture.engine, { tenants: withService(fixture.engine, reads).tenants });
  return fixture;
}

export async function paidOrder(fixture: EngineFixture): Promise<string> {
  const paymentId = await startPayment(fixture);
  fixture.service.pay("session-1");
  const sale = { id: "till-1", wireAmount: 5000, currency: "XOF", status: "completed" };
  fixture.service.sales.push({ ...sale, createdAt: fixture.clock.now() });
  await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
  return paymentId;
}
