import { storeAdapterContract } from "@tillkit/testkit/vitest";
import { medusaHarness } from "./medusa-harness.ts";

storeAdapterContract("a Medusa store", medusaHarness);
