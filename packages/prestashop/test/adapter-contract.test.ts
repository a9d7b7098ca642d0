import { storeAdapterContract } from "@tillkit/testkit/vitest";
import { KNOWN_KEYS, openAdapterFixture } from "./adapter-fixture.ts";

storeAdapterContract("a PrestaShop", () => openAdapterFixture());
storeAdapterContract("a PrestaShop whose order keys the checkout server knows", () => openAdapterFixture(KNOWN_KEYS));
