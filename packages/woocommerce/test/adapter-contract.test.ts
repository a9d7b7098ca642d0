import { storeAdapterContract } from "@tillkit/testkit/vitest";
import { wooHarness } from "./woo-harness.ts";

storeAdapterContract("a WooCommerce shop that is written by the plugin's locked route", () => wooHarness("plugin"));
storeAdapterContract("a WooCommerce shop that is written by its REST API", () => wooHarness("rest"));
storeAdapterContract("a WooCommerce shop that is written by whichever answers", () => wooHarness("auto"));
