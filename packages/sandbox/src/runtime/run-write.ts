import { inDatabaseTransaction, type Service, type WriteContext } from "./service.ts";

/** Runs a change from outside of the API in one database transaction, after the work that is due. */
export type RunWrite = <Row>(work: (context: WriteContext) => Promise<Row>) => Promise<Row>;

export function createRunWrite(service: Service): RunWrite {
  return async function runWrite(work) {
    await service.paymentScheduler.runDue();
    return inDatabaseTransaction(service, work);
  };
}
