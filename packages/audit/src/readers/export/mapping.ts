/** The fields of an order that a column of an export may hold. `order`, `total` and `created` are needed. */
export const EXPORT_FIELDS = [
  "order",
  "number",
  "created",
  "paid",
  "state",
  "total",
  "currency",
  "refunded",
  "method",
  "transaction",
  "session",
  "customer",
] as const;

export type ExportField = (typeof EXPORT_FIELDS)[number];
export type Mapping = Readonly<Partial<Record<ExportField, string>>>;
export const NEEDED_FIELDS = ["order", "created", "total"] as const satisfies readonly ExportField[];

/** What exports call these fields: of WooCommerce, Shopify, PrestaShop, Magento, Odoo, and of shops that write their own. */
const KNOWN: Readonly<Record<ExportField, readonly string[]>> = {
  order: [
    "order id",
    "order_id",
    "orderid",
    "id",
    "increment_id",
    "entity_id",
    "id commande",
    "id_order",
    "commande",
    "order",
    "name",
  ],
  number: [
    "order number",
    "order_number",
    "name",
    "reference",
    "référence",
    "numero",
    "numéro",
    "numéro de commande",
    "n°",
  ],
  created: [
    "created",
    "createdat",
    "created at",
    "created_at",
    "date created",
    "order date",
    "order_date",
    "date_add",
    "date",
    "date de commande",
    "purchase date",
    "date_order",
    "créée le",
  ],
  paid: [
    "paid at",
    "paid_at",
    "paid date",
    "paid_date",
    "date paid",
    "date_paid",
    "date de paiement",
    "payée le",
    "invoice_date",
  ],
  state: [
    "financial status",
    "financial_status",
    "order status",
    "order_status",
    "status",
    "state",
    "statut",
    "état",
    "etat",
  ],
  total: [
    "total",
    "order total",
    "order_total",
    "grand total",
    "grand_total",
    "amount_total",
    "total_paid",
    "montant",
    "montant total",
    "total ttc",
  ],
  currency: ["currency", "order currency", "order_currency", "devise", "currency_code", "order_currency_code"],
  refunded: [
    "refunded amount",
    "refunded_amount",
    "refund amount",
    "order refund amount",
    "total_refunded",
    "remboursé",
    "montant remboursé",
  ],
  method: [
    "payment method",
    "payment_method",
    "payment method title",
    "payment",
    "moyen de paiement",
    "mode de paiement",
    "paiement",
  ],
  transaction: [
    "transaction id",
    "transaction_id",
    "payment reference",
    "payment_reference",
    "payment id",
    "payment references",
    "transaction",
    "id transaction",
  ],
  session: ["checkout session", "checkout_session_id", "session id", "session_id", "session"],
  customer: ["email", "customer email", "customer_email", "billing email", "billing_email", "e-mail", "courriel"],
};

/** The columns of an export that have a known name. What the owner gave stands first. */
export function guessMapping(columns: readonly string[], given: Mapping): Mapping {
  const byName = new Map(columns.map((column) => [column.trim().toLowerCase(), column]));
  const taken = new Set(Object.values(given));
  const guessed: Partial<Record<ExportField, string>> = { ...given };
  for (const field of EXPORT_FIELDS) {
    if (guessed[field] !== undefined) continue;
    const found = KNOWN[field]
      .map((name) => byName.get(name))
      .find((column) => column !== undefined && !taken.has(column));
    if (found === undefined) continue;
    guessed[field] = found;
    taken.add(found);
  }
  return guessed;
}

export type OrderState = "unpaid" | "partial" | "paid" | "cancelled" | "refunded";

const STATES: readonly (readonly [state: OrderState, words: RegExp])[] = [
  ["paid", /partial.*refund|partiel.*rembours/],
  ["partial", /partial|partiel|deposit|acompte/],
  ["refunded", /refund|rembours|chargeback/],
  ["cancelled", /cancel|annul|void|trash|supprim/],
  [
    "unpaid",
    /unpaid|impay|pending|attente|failed|échou|echou|draft|hold|not.paid|non.pay|expired|declined|refus|checkout|new|nouve/,
  ],
  [
    "paid",
    /paid|pay[ée]|complet|process|ship|expédi|expedi|livr|deliver|accept|captur|settled|réglé|regle|termin|done|sale|préparation|preparation/,
  ],
];

/** What a status of any system means; null for a word that nobody told us. */
export function readState(text: string, given: ReadonlyMap<string, OrderState>): OrderState | null {
  const word = text.trim().toLowerCase();
  return given.get(word) ?? STATES.find(([, words]) => words.test(word))?.[0] ?? null;
}
