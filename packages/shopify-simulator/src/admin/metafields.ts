import type { RootResolvers } from "../graphql/graphql-operation.ts";
import { type AdminContext, userError } from "./admin-context.ts";
import { APP_NAMESPACE, metafieldName, metafieldObject } from "./order-objects.ts";

/** The mutations of an order's metafields. */
export function metafieldResolvers(context: AdminContext): RootResolvers {
  return {
    metafieldsSet: ({ metafields }: { metafields: readonly MetafieldInput[] }) => setMetafields(context, metafields),
    metafieldsDelete: ({ metafields }: { metafields: readonly MetafieldInput[] }) =>
      deleteMetafields(context, metafields),
  };
}

type MetafieldInput = {
  readonly ownerId: string;
  readonly namespace?: string | null;
  readonly key: string;
  readonly type?: string | null;
  readonly value: string;
};

function setMetafields(context: AdminContext, metafields: readonly MetafieldInput[]) {
  const written = metafields.map(({ ownerId, namespace, key, type, value }) => {
    const order = context.orders.find(ownerId);
    if (!order) return null;
    const name = metafieldName(namespace, key);
    const id = order.metafields.get(name)?.id ?? `gid://shopify/Metafield/${order.number}${order.metafields.size}`;
    order.metafields.set(name, { id, type: type ?? "single_line_text_field", value });
    context.orders.markUpdated(order);
    return metafieldObject(order, name);
  });
  if (!written.includes(null)) return { metafields: written, userErrors: [] };
  const error = { code: "INVALID", elementIndex: null, ...userError(["metafields"], "Owner does not exist") };
  return { metafields: [], userErrors: [error] };
}

function deleteMetafields(context: AdminContext, metafields: readonly MetafieldInput[]) {
  const deletedMetafields = metafields.map(({ ownerId, namespace, key }) => {
    const isDeleted = context.orders.find(ownerId)?.metafields.delete(metafieldName(namespace, key));
    return isDeleted ? { ownerId, namespace: namespace ?? APP_NAMESPACE, key } : null;
  });
  return { deletedMetafields, userErrors: [] };
}
