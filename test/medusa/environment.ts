import type { MedusaEnvironment } from "@tillkit/example-medusa-store/medusa-server";
import type { Login } from "./owner.ts";

export const LOGIN: Login = { email: "owner@example.com", password: "the owner's password" };
export const ENDPOINT_ID = "shop";

type EnvironmentInput = {
  readonly databaseUrl: string;
  readonly url: string;
  readonly storefrontUrl: string;
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly secret: string;
};

/** The variables that medusa-config.js reads. */
export function createEnvironment({
  databaseUrl,
  url,
  storefrontUrl,
  apiKey,
  baseUrl,
  secret,
}: EnvironmentInput): MedusaEnvironment {
  return {
    DATABASE_URL: databaseUrl,
    MEDUSA_URL: url,
    STOREFRONT_URL: storefrontUrl,
    JWT_SECRET: "a secret of the store in tests",
    COOKIE_SECRET: "another secret of the store in tests",
    OWNER_EMAIL: LOGIN.email,
    OWNER_PASSWORD: LOGIN.password,
    TILLKIT_API_KEY: apiKey,
    TILLKIT_BASE_URL: baseUrl,
    TILLKIT_ENDPOINT_ID: ENDPOINT_ID,
    TILLKIT_WEBHOOK_SECRETS: secret,
    TILLKIT_KEYS: "a key of the store in tests and never of a real one",
  };
}

/** The variables for migrating and seeding, while no other server runs. */
export function offlineEnvironment(databaseUrl: string): MedusaEnvironment {
  const url = "http://127.0.0.1:9";
  const offline = { url, storefrontUrl: url, baseUrl: url };
  return createEnvironment({ databaseUrl, ...offline, apiKey: "svc_sk_test_closed", secret: "whsec_closed" });
}
