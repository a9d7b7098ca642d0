import type { Demo } from "@tillkit/example-shop/demo";
import type { Page } from "playwright-core";
import type { openDesktop, openPhone } from "./phone.ts";

/** One browser and one running shop for several files of tests. Pages are closed after each test. */
export type ShopFixture = {
  readonly demo: () => Demo;
  readonly phone: (options?: Parameters<typeof openPhone>[1]) => Promise<Page>;
  readonly desktop: (options?: Parameters<typeof openDesktop>[1]) => Promise<Page>;
};
