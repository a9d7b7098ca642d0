import type { Migration } from "@tillkit/sql";

/** Payments that the first version stored have no order number. They get the order's id as their number. */
export const ORDER_NUMBERS: Migration = {
  name: "0002-order-numbers",
  sqlite: steps("text"),
  postgres: steps('text collate "C"'),
};

function steps(textType: string): string {
  return `
alter table tillkit_payments add column order_number ${textType} not null default '';
update tillkit_payments set order_number = order_id;
create index tillkit_payments_of_order_number on tillkit_payments (order_number);
`;
}
