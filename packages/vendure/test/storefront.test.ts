import { expect, it } from "vitest";
import { redirectToCheckout } from "../src/storefront.ts";

const answering = (createTillkitCheckout: unknown) => async () => ({ createTillkitCheckout });

it("a shopper who presses Pay is sent to the hosted page", async () => {
  const visited: string[] = [];
  const checkout = { __typename: "TillkitCheckout", url: "https://pay.example/abc", orderCode: "ABC" };
  await redirectToCheckout(answering(checkout), (url) => visited.push(url));
  expect(visited).toEqual(["https://pay.example/abc"]);
});

it("a shopper whose order cannot be paid stays on the page, and the storefront gets the reason", async () => {
  const visited: string[] = [];
  const refusal = { __typename: "TillkitCheckoutError", message: "This order is already paid." };
  const answer = await redirectToCheckout(answering(refusal), (url) => visited.push(url));
  expect(answer).toEqual({ status: "refused", message: "This order is already paid." });
  expect(visited).toEqual([]);
});

it("a Vendure without the plugin is reported as such", async () => {
  await expect(redirectToCheckout(answering(undefined), () => {})).rejects.toThrow(
    "is the plugin in Vendure's config?",
  );
});
