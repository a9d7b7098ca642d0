import type { RequestListener } from "node:http";
import type { Express } from "express";
import { afterEach, describe, expect, test } from "vitest";
import type { CheckoutServer } from "../src/index.ts";
import { type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";
import { rawRequest } from "./fixtures/raw-request.ts";

let merchant: MerchantFixture;
afterEach(() => merchant.close());

const ADDRESSES = ["//[", "//[::1/return/x", "//host:99999999/", "//[/return/x?lang=fr", "//[/operators/login"];

/** Hosts with the listener in front of the app, and with the router alone. */
const HOSTS: readonly [string, (checkout: CheckoutServer, app: Express) => RequestListener][] = [
  [
    "whose Node server has the listener in front",
    (checkout, app) => checkout.listener(app.use(checkout.router).use(pageOfTheHost)),
  ],
  ["that only mounts the router", (checkout, app) => app.use(checkout.router).use(pageOfTheHost)],
];

// A host's middleware that throws when the address is not a URL.
const pageOfTheHost: RequestListener = (request, response) =>
  void response.end(new URL(request.url ?? "", "http://shop.example").pathname);

describe.each(HOSTS)("a host %s", (_, host) => {
  test.each(ADDRESSES)(
    "an unreadable address is answered with 400, a sentence and no stack: GET %s",
    async (address) => {
      merchant = await openMerchant({
        host,
        options: { operators: { tokens: ["the token of this operator, long enough"] } },
      });
      for (const method of ["GET", "POST", "HEAD"]) {
        const answer = await rawRequest(merchant.url, [
          `${method} ${address} HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
        ]);
        expect(answer).toMatch(/^HTTP\/1\.1 400 /);
        expect(answer).not.toMatch(/node_modules|TypeError|ERR_INVALID|\.ts|\.js/);
        if (method !== "HEAD") expect(answer).toContain("The address of this request cannot be read");
      }
      expect(merchant.lines.filter(({ level }) => level === "error")).toEqual([]);
    },
  );
});
