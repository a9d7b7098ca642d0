import type { Language } from "@tillkit/core";
import { type Database, openDatabase } from "@tillkit/sql";
import type { Generated, Kysely, Selectable } from "kysely";
import { CATALOGUE } from "./catalogue.ts";

/** Amounts are whole minor units, times are milliseconds since 1970. */
export type ShopTables = {
  stock: { product_id: string; pieces: number };
  orders: {
    id: Generated<number>;
    key: string;
    pickup_name: string;
    language: Language;
    currency: string;
    total_minor: number;
    state: "open" | "paid" | "cancelled";
    placed_at: number;
  };
  order_lines: { order_id: number; product_id: string; quantity: number; price_minor: number };
  order_payments: {
    order_id: number;
    payment_id: string;
    session_id: string;
    transaction_id: string | null;
    paid_at: number;
  };
  order_refunds: { refund_id: string; order_id: number; amount_minor: number; refunded_at: number };
  /** `finding`: the `findingKey` of the finding, which is its facts as JSON. */
  order_holds: { order_id: number; finding: string; held_at: number };
};

export type OrderRow = Selectable<ShopTables["orders"]>;
export type ShopDatabase = Database<ShopTables>;
/** The database or one of its transactions. */
export type ShopQueries = Kysely<ShopTables>;

export async function openShopDatabase(url: string): Promise<ShopDatabase> {
  const shop = await openDatabase<ShopTables>(url);
  await shop.migrate({
    owner: "example-shop",
    steps: [
      { name: "001-shop", sqlite: FIRST_TABLES },
      { name: "002-refunds", sqlite: REFUNDS },
    ],
  });
  const initialStock = CATALOGUE.map(({ id, stock }) => ({ product_id: id, pieces: stock }));
  await shop.db
    .insertInto("stock")
    .values(initialStock)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return shop;
}

// The primary key of order_payments guarantees that an order has at most one payment.
// The primary key of order_holds makes the owner see each finding once, however often it is reported.
const FIRST_TABLES = `
  create table stock (
    product_id text primary key,
    pieces integer not null check (pieces >= 0)
  ) strict;

  create table orders (
    id integer primary key autoincrement,
    key text not null unique,
    pickup_name text not null,
    language text not null,
    currency text not null,
    total_minor integer not null check (total_minor > 0),
    state text not null check (state in ('open', 'paid', 'cancelled')),
    placed_at integer not null
  ) strict;

  create table order_lines (
    order_id integer not null references orders (id),
    product_id text not null,
    quantity integer not null check (quantity > 0),
    price_minor integer not null,
    primary key (order_id, product_id)
  ) strict;

  create table order_payments (
    order_id integer primary key references orders (id),
    payment_id text not null unique,
    session_id text not null,
    transaction_id text,
    paid_at integer not null
  ) strict;

  create table order_holds (
    order_id integer not null references orders (id),
    finding text not null,
    held_at integer not null,
    primary key (order_id, finding)
  ) strict;

  insert into sqlite_sequence (name, seq) values ('orders', 1000);
`;

// The primary key records each refund of the service once, however often it is reported.
const REFUNDS = `
  create table order_refunds (
    refund_id text primary key,
    order_id integer not null references orders (id),
    amount_minor integer not null check (amount_minor > 0),
    refunded_at integer not null
  ) strict;
`;
