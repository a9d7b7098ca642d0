import { inDatabaseTransaction, type Service, type WriteContext } from "./service.ts";

/** Runs a change of the control API in one database transaction. All due work is done before the change. */
export type RunWrite = <Row>(work: (context: WriteContext) => Promise<Row>) => Promise<Row>;

export function createRunWrite(service: Service): RunWrite {
  return async function runWrite(work) {
    await service.paymentScheduler.runDue();
    return inDatabaseTransaction(service, work);
  };
}
