import { afterAll, beforeAll, expect, it } from "vitest";
import { buildProgram } from "./build-program.ts";
import { readLine } from "./json-line.ts";
import { createMerchantWorld, type MerchantWorld } from "./merchant-world.ts";
import { interrupt, linesOf, startProgram } from "./program.ts";

let world: MerchantWorld;
beforeAll(async () => {
  await buildProgram();
  world = await createMerchantWorld();
});
afterAll(() => world.close());

it("tillkit logs --follow prints each attempt once as it happens, with the newest of before first, until Ctrl-C", async () => {
  const endpoint = await world.addEndpoint();
  for (const _ of [1, 2, 3]) await world.service.webhooks.test(endpoint);
  const logs = startProgram(["logs", "--follow", "--limit", "1", "--json"], { env: world.env });
  const lines = linesOf(logs);
  const next = async () => readLine("logs", (await lines.next()).value);
  const printed = [await next()];
  expect(printed[0]).toMatchObject({ webhook: endpoint, success: true });
  for (const _ of [1, 2, 3]) await world.service.webhooks.test(endpoint);
  world.shopAnswers.push(500);
  await expect(world.service.webhooks.test(endpoint)).rejects.toThrow();
  for (const _ of [1, 2, 3, 4]) printed.push(await next());
  expect(new Set(printed.map(({ id }) => id)).size).toBe(5);
  expect(printed.at(-1)).toMatchObject({ event: "test.webhook", success: false, status: 500 });
  expect(await interrupt(logs)).toBe(0);
  expect(await lines.next()).toMatchObject({ done: true });
});
