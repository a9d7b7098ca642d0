import { expect, it } from "vitest";
import { redirectToCheckout } from "../src/storefront.ts";

const shopApiAnswering = (createTillkitCheckout: unknown) => async () => ({ createTillkitCheckout });

it("a shopper who presses Pay is sent to the hosted page", async () => {
  const visited: string[] = [];
  const checkout = { __typename: "TillkitCheckout", url: "https://pay.example/abc", orderCode: "ABC" };
  await redirectToCheckout(shopApiAnswering(checkout), (url) => visited.push(url));
  expect(visited).toEqual(["https://pay.example/abc"]);
});

it("a shopper whose order cannot be paid stays on the page, and the storefront gets the reason", async () => {
  const visited: string[] = [];
  const refusal = { __typename: "TillkitCheckoutError", message: "This order is already paid." };
  const answer = await redirectToCheckout(shopApiAnswering(refusal), (url) => visited.push(url));
  expect(answer).toEqual({ status: "refused", message: "This order is already paid." });
  expect(visited).toEqual([]);
});

it("the storefront gets an error with a hint when Vendure does not have the plugin", async () => {
  await expect(redirectToCheckout(shopApiAnswering(undefined), () => {})).rejects.toThrow(
    "is the plugin in Vendure's config?",
  );
});
