import { loadPeer } from "../harness/contender.ts";
import type { Call } from "./contenders.ts";
import { session } from "./session.ts";

type Create = (body: object) => Promise<unknown>;

const { title, success_url, cancel_url, customer_email, metadata } = session;

export function stripeCall(baseUrl: string): Call {
  type StripeClient = { checkout: { sessions: { create: Create } } };
  const Stripe = loadPeer<new (key: string, options: object) => StripeClient>("stripe");
  const { hostname: host, port, protocol } = new URL(baseUrl);
  const stripe = new Stripe("sk_test_bench", { host, port, protocol: protocol.slice(0, -1) });
  const price_data = { currency: "eur", unit_amount: 25_000, product_data: { name: title } };
  const line_items = [{ quantity: 1, price_data }];
  const order = { mode: "payment", line_items, success_url, cancel_url, customer_email, metadata };
  return () => stripe.checkout.sessions.create(order);
}

export function mollieCall(baseUrl: string): Call {
  type Mollie = { createMollieClient: (options: object) => { payments: { create: Create } } };
  const { createMollieClient } = loadPeer<Mollie>("@mollie/api-client");
  // This client trusts only the authorities that it carries, so nothing else makes it accept a server on this machine.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  const mollie = createMollieClient({ apiKey: `test_${"b".repeat(30)}`, apiEndpoint: `${baseUrl}/mollie/` });
  const amount = { value: "25.00", currency: "EUR" };
  return () => mollie.payments.create({ amount, description: title, redirectUrl: success_url, metadata });
}

export function adyenCall(baseUrl: string): Call {
  type Adyen = {
    Client: new (options: object) => object;
    CheckoutAPI: new (client: object) => { PaymentsApi: { baseUrl: string; sessions: Create } };
  };
  const { Client, CheckoutAPI } = loadPeer<Adyen>("@adyen/api-library");
  const { PaymentsApi } = new CheckoutAPI(new Client({ apiKey: "bench", environment: "TEST" }));
  PaymentsApi.baseUrl = `${baseUrl}/adyen`;
  const amount = { currency: "EUR", value: 25_000 };
  const order = { amount, reference: title, returnUrl: success_url, shopperEmail: customer_email, metadata };
  return () => PaymentsApi.sessions({ ...order, merchantAccount: "bench" });
}

export function squareCall(baseUrl: string): Call {
  type Square = { SquareClient: new (options: object) => { checkout: { paymentLinks: { create: Create } } } };
  const { SquareClient } = loadPeer<Square>("square");
  const square = new SquareClient({ token: "bench", baseUrl: `${baseUrl}/square` });
  const quickPay = { name: title, priceMoney: { amount: 25_000n, currency: "EUR" }, locationId: "bench" };
  const order = { quickPay, checkoutOptions: { redirectUrl: success_url } };
  const buyer = { prePopulatedData: { buyerEmail: customer_email }, paymentNote: JSON.stringify(metadata) };
  return () => square.checkout.paymentLinks.create({ idempotencyKey: crypto.randomUUID(), ...order, ...buyer });
}

export function dodoCall(baseUrl: string): Call {
  type Dodo = { DodoPayments: new (options: object) => { checkoutSessions: { create: Create } } };
  const { DodoPayments } = loadPeer<Dodo>("dodopayments");
  const dodo = new DodoPayments({ bearerToken: "bench", baseURL: `${baseUrl}/dodo` });
  const product_cart = [{ product_id: "pdt_bench", quantity: 1, amount: 25_000 }];
  const order = { product_cart, customer: { email: customer_email }, return_url: success_url, metadata };
  return () => dodo.checkoutSessions.create(order);
}

export function razorpayCall(baseUrl: string): Call {
  type RazorpayClient = { orders: { create: Create }; api: { rq: { defaults: { baseURL: string } } } };
  const Razorpay = loadPeer<new (options: object) => RazorpayClient>("razorpay");
  const razorpay = new Razorpay({ key_id: "rzp_test_bench", key_secret: "bench" });
  razorpay.api.rq.defaults.baseURL = `${baseUrl}/razorpay`;
  const notes = { ...metadata, success_url, cancel_url };
  return () => razorpay.orders.create({ amount: 25_000, currency: "INR", receipt: title, notes });
}
