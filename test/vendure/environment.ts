import type { VendureEnvironment } from "@tillkit/example-vendure-store/vendure-server";

export const OWNER = { username: "owner", password: "the owner's password" } as const;
const OPERATOR_TOKEN = "the token of this test's operator, long enough";

/** The shops of the store: the default channel in francs, and a channel in dollars. */
export const SHOPS = ["ci", "us"] as const;
export type ShopName = (typeof SHOPS)[number];

type EnvironmentInput = {
  readonly databaseUrl: string;
  readonly url: string;
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly secrets: Readonly<Record<ShopName, string>>;
  readonly otherPlugin: string;
};

/** The variables that vendure-config.js reads. */
export function createEnvironment({
  databaseUrl,
  url,
  apiKey,
  baseUrl,
  secrets,
  otherPlugin,
}: EnvironmentInput): VendureEnvironment {
  return {
    DATABASE_URL: databaseUrl,
    VENDURE_URL: url,
    STOREFRONT_URL: "http://127.0.0.1:9",
    COOKIE_SECRET: "a secret of the store in tests",
    OWNER_PASSWORD: OWNER.password,
    OTHER_PLUGIN: otherPlugin,
    POOL_SIZE: "60",
    TILLKIT_API_KEY: apiKey,
    TILLKIT_BASE_URL: baseUrl,
    TILLKIT_KEYS: "a key of the store in tests and never of a real one",
    TILLKIT_LANGUAGE: "en",
    TILLKIT_OPERATOR_TOKEN: OPERATOR_TOKEN,
    TILLKIT_WEBHOOK_SECRETS_CI: secrets.ci,
    TILLKIT_WEBHOOK_SECRETS_US: secrets.us,
  };
}
