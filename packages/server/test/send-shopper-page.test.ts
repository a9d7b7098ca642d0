import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ShopperPage, sendShopperPage } from "@tillkit/server";
import express from "express";
import { expect, it, onTestFinished } from "vitest";

it("a host sends our pages for its own links, and the language link keeps all parameters", async () => {
  const page = await get({ name: "orderClosed", status: 409, shopUrl: "https://shop.example/" }, "?order=7&lang=fr");
  expect(page.status).toBe(409);
  expect(page.headers.get("cache-control")).toBe("no-store");
  const text = await page.text();
  expect(text).toContain('<html lang="fr">');
  expect(text).toContain('href="https://shop.example/"');
  expect(text).toContain('href="?lang=en&amp;order=7"');
});

it("the retry button of a page loads the same address", async () => {
  const text = await (await get({ name: "tryLater", status: 503, actionUrl: "" }, "?order=7")).text();
  expect(text).toContain('<a class="button" href="">');
});

async function get(page: ShopperPage, query: string): Promise<Response> {
  const app = express().get("/pay", (request, response) => sendShopperPage(request, response, page));
  const server = createServer(app).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  return await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/pay${query}`);
}
