import { afterEach, describe, expect, it } from "vitest";
import { printRecovery } from "../src/index.ts";
import { type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";
import { openSmallShop } from "./fixtures/small-shop.ts";

let merchant: MerchantFixture | undefined;
afterEach(() => merchant?.close());

async function recover(
  failure: MerchantFixture["service"]["failure"],
): Promise<{ lines: string[]; errorMessage: string | null }> {
  merchant = await openMerchant({ otherShops: { kiosk: openSmallShop() } });
  merchant.service.failure = failure;
  const lines: string[] = [];
  const printed = printRecovery(merchant.checkout.recover(0), (line) => lines.push(line));
  const errorMessage = await printed.then(
    () => null,
    (error: Error) => error.message,
  );
  return { lines, errorMessage };
}

describe("the recovery of a restored ledger", () => {
  it("a recovery searches once with a key that two shops share", async () => {
    expect(await recover(null)).toEqual({
      lines: [
        "boutique (test): transactions checked 0, payments recovered 0, payments with a recovered refund 0, dispute events found 0; no delivery log was found, so disputes of recovered payments are not known.",
      ],
      errorMessage: null,
    });
  });

  it("a recovery whose search fails names the key and rejects", async () => {
    expect(await recover({ status: 401, code: "unauthorized" })).toEqual({
      lines: [expect.stringMatching(/^boutique \(test\): the search failed \(\w+\)\.$/)],
      errorMessage: "The search failed for 1 of 1 keys: run it again, it does no harm.",
    });
  });
});
