import { afterEach, describe, expect, it } from "vitest";
import { tellRecovery } from "../src/index.ts";
import { type MerchantWorld, openMerchantWorld } from "./world/merchant-world.ts";
import { openSmallShop } from "./world/small-shop.ts";

let world: MerchantWorld | undefined;
afterEach(() => world?.close());

async function recover(
  refusal: MerchantWorld["service"]["refuses"],
): Promise<{ said: string[]; failed: string | null }> {
  world = await openMerchantWorld({ otherShops: { kiosk: openSmallShop() } });
  world.service.refuses = refusal;
  const said: string[] = [];
  const told = tellRecovery(world.checkout.recover(0), (line) => said.push(line));
  const failed = await told.then(
    () => null,
    (error: Error) => error.message,
  );
  return { said, failed };
}

describe("asking the service for what a restored ledger has lost", () => {
  it("asks once with a key that two shops share", async () => {
    expect(await recover(null)).toEqual({
      said: ["boutique (test): transactions looked at 0, payments taken back 0, payments with a forgotten refund 0."],
      failed: null,
    });
  });

  it("says which key did not tell, and ends as a failure", async () => {
    expect(await recover({ status: 401, code: "unauthorized" })).toEqual({
      said: [expect.stringMatching(/^boutique \(test\): the service did not tell all \(\w+\)\.$/)],
      failed: "Of 1 keys 1 did not tell all: run it again, it does no harm.",
    });
  });
});
