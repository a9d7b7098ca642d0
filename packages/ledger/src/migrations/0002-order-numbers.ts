import type { Migration } from "@tillkit/sql";

/** Payments of the first version know only the order's id, which is their order's number from now on. */
export const ORDER_NUMBERS: Migration = {
  name: "0002-order-numbers",
  sqlite: steps("text"),
  postgres: steps('text collate "C"'),
};

function steps(key: string): string {
  return `
alter table tillkit_payments add column order_number ${key} not null default '';
update tillkit_payments set order_number = order_id;
create index tillkit_payments_of_order_number on tillkit_payments (order_number);
`;
}
