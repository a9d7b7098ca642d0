import type { Query } from "../../src/store/medusa-container.ts";
import type { FakePayment, FakeTables } from "./tables.ts";

/** `query.graph` over the fake's tables: rows as Medusa shapes them, with numbers beside their raw values. */
export function createFakeQuery(tables: FakeTables): Query {
  const rowsOf: Readonly<Record<string, () => readonly Record<string, unknown>[]>> = {
    payment_collection: () => tables.collections.map((one) => collectionRow(tables, one)),
    payment_session: () => tables.sessions.map((one) => ({ id: one.id, payment_collection_id: one.collectionId })),
    payment: () => tables.payments.map(paymentRow),
    refund: () => tables.payments.flatMap(({ refunds }) => refunds.map(({ id }) => ({ id }))),
    cart: () =>
      tables.carts.map(({ id, title, locale, country, buyer, isSoldOut }) => ({
        id,
        locale,
        email: buyer?.email ?? null,
        shipping_address: {
          first_name: buyer?.firstName ?? null,
          last_name: buyer?.lastName ?? null,
          phone: buyer?.phone ?? null,
          country_code: country ?? null,
        },
        items: [{ title, quantity: 1, variant: variantRow(isSoldOut) }],
        region: { payment_providers: [{ id: "pp_system_default" }, { id: "pp_tillkit_tillkit" }] },
      })),
    cart_payment_collection: () =>
      tables.carts.map(({ id, collectionId }) => ({ cart_id: id, payment_collection_id: collectionId })),
    order_cart: () => tables.orders.map(({ id, cartId }) => ({ order_id: id, cart_id: cartId })),
    order_payment_collection: () =>
      tables.orders.flatMap(({ id, cartId, outstandingCollectionId }) =>
        [tables.carts.find((cart) => cart.id === cartId)?.collectionId, outstandingCollectionId]
          .filter((collectionId) => collectionId !== undefined)
          .map((collectionId) => ({ order_id: id, payment_collection_id: collectionId })),
      ),
    order: () =>
      tables.orders.map(({ id, displayId, status }) => ({ id, display_id: displayId, status, fulfillments: [] })),
  };

  return {
    async graph({ entity, filters }) {
      const table = rowsOf[entity];
      if (!table) throw new Error(`Service with alias "${entity}" was not found.`);
      // As in Medusa, an undefined filter matches every row.
      const conditions = Object.entries(filters).filter(([, value]) => value !== undefined);
      const data = table().filter((row) => conditions.every(([name, value]) => row[name] === value));
      return { data: structuredClone(data) };
    },
  };
}

function variantRow(isSoldOut: boolean) {
  const level = { stocked_quantity: 5, reserved_quantity: isSoldOut ? 5 : 0 };
  const stock = [{ required_quantity: 1, inventory: { location_levels: [level] } }];
  return { manage_inventory: true, allow_backorder: false, inventory_items: stock };
}

function collectionRow(tables: FakeTables, collection: FakeTables["collections"][number]) {
  const { id, currencyCode, amount, status, metadata } = collection;
  return {
    id,
    metadata,
    currency_code: currencyCode,
    amount: Number(amount),
    raw_amount: { value: amount, precision: 20 },
    status,
    payment_sessions: tables.sessions
      .filter((session) => session.collectionId === id)
      .map((session) => ({
        id: session.id,
        provider_id: session.providerId,
        amount: Number(session.amount),
        raw_amount: { value: session.amount, precision: 20 },
      })),
    payments: tables.payments.filter((payment) => payment.collectionId === id).map(paymentRow),
  };
}

function paymentRow({
  id,
  collectionId,
  providerId,
  amount,
  captures,
  captured,
  canceledAt,
  data,
  refunds,
}: FakePayment) {
  const capture = captured ? { created_by: captured.by, created_at: captured.at.toISOString() } : {};
  return {
    captures: captures > 0 ? [{ amount: Number(amount), raw_amount: { value: amount }, ...capture }] : [],
    id,
    payment_collection_id: collectionId,
    provider_id: providerId,
    captured_at: captures > 0 ? new Date(0).toISOString() : null,
    canceled_at: canceledAt?.toISOString() ?? null,
    data,
    refunds: refunds.map((refund) => ({
      id: refund.id,
      note: refund.note,
      created_by: refund.by,
      raw_amount: { value: refund.amount },
    })),
  };
}
