import { Order, type Payment, type Refund, type RequestContext } from "@vendure/core";
import type { VendureServices } from "../vendure-services.ts";

type Connection = VendureServices["connection"];
type LockedEntity = typeof Order | typeof Payment | typeof Refund;

/**
 * Locks an order until the transaction of `context` ends. Must be the transaction's first statement, so that all later reads see what
 * the previous holder of the lock committed. Null if there is no such order.
 */
export async function lockOrder(connection: Connection, context: RequestContext, code: string): Promise<Order | null> {
  const rows = connection.getRepository(context, Order).createQueryBuilder("row");
  return await rows.setLock("pessimistic_write").where("row.code = :code", { code }).getOne();
}

/** Locks a row until the transaction of `context` ends, and returns the row's current state. */
export async function lockRow<Entity extends LockedEntity>(
  connection: Connection,
  context: RequestContext,
  entity: Entity,
  id: string | number,
): Promise<InstanceType<Entity> | null> {
  const rows = connection.getRepository(context, entity as new () => InstanceType<Entity>).createQueryBuilder("row");
  return await rows.setLock("pessimistic_write").where("row.id = :id", { id }).getOne();
}
