import { openLedger } from "@tillkit/ledger";
import { expect, onTestFinished, test } from "vitest";
import { postedCustomer } from "../src/offsite/posted-customer.ts";
import { paymentBody } from "../src/offsite/session-bodies.ts";
import { createSessionCustomers } from "../src/records/session-customers.ts";

const SHOP = "acme.myshopify.com";
const NINE = Date.UTC(2026, 10, 23, 9);
const HOUR = 3_600_000;
const AWA = { name: "Awa Diop", email: "awa@shopper.example", phone: "+2250700000000" };

async function openCustomers() {
  const ledger = await openLedger("sqlite::memory:");
  onTestFinished(() => ledger.close());
  const storedRows = async () => await ledger.records.list({ kind: "shopify-payment-customer", limit: 10 });
  return { customers: createSessionCustomers(ledger.records), storedRows };
}

test("a customer fills in the hosted page for an hour and is removed after that", async () => {
  const { customers, storedRows } = await openCustomers();
  await customers.add(SHOP, "gid-1", AWA, NINE);
  await customers.add("other.myshopify.com", "gid-2", AWA, NINE + HOUR);
  expect(await customers.find(SHOP, "gid-1", NINE + HOUR - 1)).toEqual(AWA);
  expect(await customers.find(SHOP, "gid-1", NINE + HOUR)).toEqual({});
  expect(await customers.find(SHOP, "gid-2", NINE)).toEqual({});
  await customers.prune(NINE + HOUR);
  expect((await storedRows()).map(({ key }) => key)).toEqual(["gid-2"]);
});

test("a customer whom a clock a month ahead has dated is removed after the clock was set back", async () => {
  const { customers, storedRows } = await openCustomers();
  await customers.add(SHOP, "gid-1", AWA, NINE + 30 * 24 * HOUR);
  expect(await customers.find(SHOP, "gid-1", NINE)).toEqual({});
  await customers.prune(NINE);
  expect(await storedRows()).toEqual([]);
});

test("a session that is posted again keeps the time of its customer, and a customer without data is not stored", async () => {
  const { customers, storedRows } = await openCustomers();
  await customers.add(SHOP, "gid-1", AWA, NINE);
  await customers.add(SHOP, "gid-1", AWA, NINE + HOUR);
  await customers.add(SHOP, "gid-2", {}, NINE);
  expect(await customers.find(SHOP, "gid-1", NINE + HOUR)).toEqual({});
  expect(await storedRows()).toHaveLength(1);
});

const BODY = {
  id: "u0nwmSrNntjIWozmNslK5Tlq",
  gid: "gid://shopify/PaymentSession/u0nwmSrNntjIWozmNslK5Tlq",
  group: "group-1",
  amount: "5000.00",
  currency: "XOF",
  test: false,
  kind: "sale",
  cancel_url: "https://acme.example/cart",
};

test.each<[string, unknown, object]>([
  ["nothing", undefined, {}],
  ["null", null, {}],
  ["an e-mail address only", { email: "awa@shopper.example" }, { email: "awa@shopper.example" }],
  [
    "a name without its family name, and a phone number in the address",
    { billing_address: { given_name: "Awa", phone_number: "+2250700000000" } },
    { name: "Awa", phone: "+2250700000000" },
  ],
  [
    "all of it",
    { email: AWA.email, phone_number: AWA.phone, billing_address: { given_name: "Awa", family_name: "Diop" } },
    AWA,
  ],
  ["values of other types", { email: 5, phone_number: {}, billing_address: "12 rue du Commerce" }, {}],
  ["a name that is far too long", { billing_address: { given_name: "x".repeat(255) } }, {}],
  ["a text in place of the customer", "Awa", {}],
])("a payment whose customer is %s is taken, with what can be read", (_, customer, expected) => {
  expect(postedCustomer(paymentBody.parse({ ...BODY, customer }))).toEqual(expected);
});
