import type { RootResolvers } from "../graphql/graphql-operation.ts";
import { type AdminContext, type InputArgument, orderResult, userError } from "./admin-context.ts";

/** The mutations that change an order and move no money. */
export function orderChangeResolvers(context: AdminContext): RootResolvers {
  return {
    orderCancel: (args: CancelArguments) => cancelOrder(context, args),
    orderUpdate: ({ input }: InputArgument<UpdateInput>) => updateOrder(context, input),
    tagsAdd: ({ id, tags }: { id: string; tags: readonly string[] }) => addTags(context, id, tags),
  };
}

type CancelArguments = {
  readonly orderId: string;
  readonly reason: string;
  readonly restock: boolean;
  readonly staffNote?: string | null;
};

function cancelOrder(context: AdminContext, { orderId, reason, restock, staffNote }: CancelArguments) {
  const refuse = (code: string, message: string) => {
    const error = { code, ...userError(["orderId"], message) };
    return { job: null, orderCancelUserErrors: [error], userErrors: [error] };
  };
  const order = context.orders.find(orderId);
  if (!order) return refuse("NOT_FOUND", "Order does not exist");
  if (order.cancelledAt !== null) return refuse("INVALID", "Order has already been cancelled");
  order.cancelledAt = context.clock.now();
  order.cancelReason = reason;
  order.restocked = restock;
  if (staffNote) order.note = staffNote;
  context.orders.markUpdated(order);
  context.onOrderChange(order, "orders/cancelled");
  return {
    job: { id: "gid://shopify/Job/1", done: true },
    orderCancelUserErrors: [],
    userErrors: [],
  };
}

type UpdateInput = {
  readonly id: string;
  readonly note?: string | null;
  readonly tags?: readonly string[] | null;
};

function updateOrder(context: AdminContext, { id, note, tags }: UpdateInput) {
  const order = context.orders.find(id);
  if (!order) return { order: null, userErrors: [userError(["id"], "Order does not exist")] };
  if (note !== undefined) order.note = note;
  if (tags) order.tags.splice(0, order.tags.length, ...tags);
  context.orders.markUpdated(order);
  return { order: orderResult(context, order), userErrors: [] };
}

function addTags(context: AdminContext, id: string, tags: readonly string[]) {
  const order = context.orders.find(id);
  if (!order) return { node: null, userErrors: [userError(["id"], "Order does not exist")] };
  // Shopify splits a tag at its commas.
  const wanted = tags.flatMap((tag) => tag.split(",")).map((tag) => tag.trim());
  for (const tag of wanted) if (!order.tags.includes(tag)) order.tags.push(tag);
  context.orders.markUpdated(order);
  return { node: orderResult(context, order), userErrors: [] };
}
