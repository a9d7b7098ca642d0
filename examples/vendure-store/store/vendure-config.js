// biome-ignore lint/correctness/noUndeclaredDependencies: the packed plugin is installed beside what package.json names
const { TillkitPlugin } = require("@tillkit/vendure");
const { DefaultLogger, DefaultSearchPlugin, LogLevel } = require("@vendure/core");

const { env } = process;

// #region plugin
/** Two shops of one company: the default channel sells in francs, the channel `us` in dollars, each with its own webhook. */
const tillkit = TillkitPlugin.init({
  // Vendure's public address, with the path under which Tillkit answers.
  publicUrl: `${env.VENDURE_URL}/tillkit`,
  service: { baseUrl: env.TILLKIT_BASE_URL },
  // Tillkit's own keys, newest first: they sign links and references.
  keys: env.TILLKIT_KEYS.split(","),
  stores: [
    {
      apiKey: env.TILLKIT_API_KEY,
      endpointId: "ci",
      webhookSecrets: env.TILLKIT_WEBHOOK_SECRETS_CI.split(","),
      returnUrl: `${env.STOREFRONT_URL}/orders/{code}`,
    },
    {
      channel: "us",
      apiKey: env.TILLKIT_API_KEY,
      endpointId: "us",
      webhookSecrets: env.TILLKIT_WEBHOOK_SECRETS_US.split(","),
      returnUrl: `${env.STOREFRONT_URL}/orders/{code}`,
    },
  ],
  // Opens /tillkit/operators.
  operators: { tokens: [env.TILLKIT_OPERATOR_TOKEN] },
  autoRefund: env.TILLKIT_AUTO_REFUND?.split(",") ?? [],
  language: env.TILLKIT_LANGUAGE ?? "fr",
});
// #endregion plugin

/** @type {import("@vendure/core").VendureConfig} */
exports.config = {
  apiOptions: {
    hostname: "127.0.0.1",
    port: Number(new URL(env.VENDURE_URL).port),
    adminApiPath: "admin-api",
    shopApiPath: "shop-api",
    cors: { origin: env.STOREFRONT_URL, credentials: true, exposedHeaders: ["vendure-auth-token"] },
  },
  authOptions: {
    tokenMethod: ["bearer", "cookie"],
    superadminCredentials: { identifier: "owner", password: env.OWNER_PASSWORD },
    cookieOptions: { secret: env.COOKIE_SECRET },
  },
  dbConnectionOptions: {
    type: "postgres",
    url: env.DATABASE_URL,
    synchronize: env.SYNCHRONIZE === "true",
    logging: false,
    poolSize: Number(env.POOL_SIZE ?? 20),
  },
  paymentOptions: { paymentMethodHandlers: [] },
  logger: new DefaultLogger({ level: env.LOG === "debug" ? LogLevel.Debug : LogLevel.Info }),
  plugins: [
    DefaultSearchPlugin.init({}),
    tillkit,
    // Tests add a plugin of their own.
    ...(env.OTHER_PLUGIN ? [require(env.OTHER_PLUGIN).OtherPlugin] : []),
  ],
};
