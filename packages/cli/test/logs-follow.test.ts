import { afterAll, beforeAll, expect, it } from "vitest";
import { buildProgram } from "./build-program.ts";
import { readLine } from "./json-line.ts";
import { createMerchantFixture, type MerchantFixture } from "./merchant-fixture.ts";
import { interrupt, linesOf, startProgram } from "./program.ts";

let merchant: MerchantFixture;
beforeAll(async () => {
  await buildProgram();
  merchant = await createMerchantFixture();
});
afterAll(() => merchant.close());

it("tillkit logs --follow prints the newest past attempt, then each new attempt once as it happens, until Ctrl-C", async () => {
  const endpoint = await merchant.addEndpoint();
  for (const _ of [1, 2, 3]) await merchant.service.webhooks.test(endpoint);
  const logs = startProgram(["logs", "--follow", "--limit", "1", "--json"], { env: merchant.env });
  const lines = linesOf(logs);
  const next = async () => readLine("logs", (await lines.next()).value);
  const printed = [await next()];
  expect(printed[0]).toMatchObject({ webhook: endpoint, success: true });
  for (const _ of [1, 2, 3]) await merchant.service.webhooks.test(endpoint);
  merchant.shopAnswers.push(500);
  await expect(merchant.service.webhooks.test(endpoint)).rejects.toThrow();
  for (const _ of [1, 2, 3, 4]) printed.push(await next());
  expect(new Set(printed.map(({ id }) => id)).size).toBe(5);
  expect(printed.at(-1)).toMatchObject({ event: "test.webhook", success: false, status: 500 });
  expect(await interrupt(logs)).toBe(0);
  expect(await lines.next()).toMatchObject({ done: true });
});
