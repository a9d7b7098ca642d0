/** What a shop sends for an order. */
export const session = {
  amount: 25_000,
  currency_code: "XOF",
  title: "Commande 1042",
  success_url: "https://shop.example/return?session={CHECKOUT_SESSION_ID}",
  cancel_url: "https://shop.example/cart",
  customer_email: "awa.diop@example.test",
  customer_name: "Awa Diop",
  metadata: { order_id: "1042", store: "shop-1", reference: "0194f3c2.0123456789abcdef" },
} as const;
