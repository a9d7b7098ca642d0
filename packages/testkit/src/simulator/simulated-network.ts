import { receiveWebhook } from "@tillkit/core";
import { upTo } from "./chance.ts";
import type { SimulatedWebhook } from "./simulated-service.ts";
import { anyAlive, SECOND, type SimulationWorld, within } from "./simulation-world.ts";

/** Lost, repeated, late, out of order; retried like the service does while nobody answers 2xx. */
export async function postWebhook(world: SimulationWorld, webhook: SimulatedWebhook): Promise<void> {
  const { clock, random } = world;
  if (random.fraction() < 0.3) return;
  const copies = random.fraction() < 0.3 ? 3 : 1;
  for (let copy = 0; copy < copies; copy += 1) void deliver(world, webhook, upTo(random, 30 * SECOND));
  await clock.sleep(0);
}

async function deliver(world: SimulationWorld, webhook: SimulatedWebhook, delayMs: number): Promise<void> {
  await world.clock.sleep(delayMs);
  for (const wait of [5, 10, 20, 40]) {
    const process = anyAlive(world);
    const answer = process && (await within(world, receiveWebhook(process.engine, { endpointId: "main", ...webhook })));
    if (answer?.status === 200) return;
    await world.clock.sleep(wait * SECOND);
  }
}
