import { openLedger } from "@tillkit/ledger";
import { expect, onTestFinished, test } from "vitest";
import { createPaymentSessions, type PaymentSession } from "../src/records/payment-sessions.ts";

const SHOP = "acme.myshopify.com";
const NINE = Date.UTC(2026, 10, 23, 9);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const sessionOf = (id: string): PaymentSession => ({
  id,
  gid: `gid://shopify/PaymentSession/${id}`,
  group: "group-1",
  amount: "5000.00",
  currency: "XOF",
  test: false,
  language: "fr",
  cancelUrl: "https://acme.example/cart",
  redirectUrl: "https://pay.example.com/pay/1",
  postedAt: NINE,
  rejectedAt: null,
  pendingUntil: null,
  nextUrl: null,
});

async function openSessions() {
  const ledger = await openLedger("sqlite::memory:");
  onTestFinished(() => ledger.close());
  return createPaymentSessions(ledger.records);
}

test("a session that Shopify posted once at nine counts as posted since nine and not since a minute later", async () => {
  const sessions = await openSessions();
  const session = await sessions.add(SHOP, sessionOf("one"));
  expect(await sessions.wasPostedSince(SHOP, session, NINE)).toBe(true);
  expect(await sessions.wasPostedSince(SHOP, session, NINE + MINUTE)).toBe(false);
});

test("a post that comes again an hour later counts from then on, for its own session and shop only", async () => {
  const sessions = await openSessions();
  const one = await sessions.add(SHOP, sessionOf("one"));
  const two = await sessions.add(SHOP, sessionOf("two"));
  const again = NINE + HOUR + 20_000;
  for (let times = 0; times < 3; times += 1) await sessions.addPost(SHOP, one.gid, again + times);
  expect(await sessions.wasPostedSince(SHOP, one, NINE + HOUR)).toBe(true);
  expect(await sessions.wasPostedSince(SHOP, one, NINE + HOUR + MINUTE)).toBe(false);
  expect(await sessions.wasPostedSince(SHOP, two, NINE + MINUTE)).toBe(false);
  // The keys of this session are sorted right before those of the session that was posted again.
  const before = await sessions.add(SHOP, sessionOf("before"));
  expect(await sessions.wasPostedSince(SHOP, before, NINE + MINUTE)).toBe(false);
  expect(await sessions.wasPostedSince("hats.myshopify.com", one, NINE + MINUTE)).toBe(false);
});

test("the times of old repeated posts are removed, and the sessions stay", async () => {
  const sessions = await openSessions();
  const session = await sessions.add(SHOP, sessionOf("one"));
  await sessions.addPost(SHOP, session.gid, NINE + HOUR);
  await sessions.addPost(SHOP, session.gid, NINE + 3 * HOUR);
  await sessions.prunePosts(NINE + 2 * HOUR);
  expect(await sessions.wasPostedSince(SHOP, session, NINE + MINUTE)).toBe(true);
  await sessions.prunePosts(NINE + 4 * HOUR);
  expect(await sessions.wasPostedSince(SHOP, session, NINE + MINUTE)).toBe(false);
  expect(await sessions.find(SHOP, session.gid)).toEqual(session);
});
