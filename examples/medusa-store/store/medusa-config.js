const { defineConfig } = require("@medusajs/framework/utils");

const env = process.env;

// Used twice: Medusa loads the plugin (webhook route, work timer, admin pages) and the payment provider separately.
const tillkit = {
  apiKey: env.TILLKIT_API_KEY,
  service: { baseUrl: env.TILLKIT_BASE_URL },
  endpointId: env.TILLKIT_ENDPOINT_ID,
  webhookSecrets: env.TILLKIT_WEBHOOK_SECRETS?.split(","),
  // Medusa's public URL: with it the first start registers the webhook.
  registerWebhookAt: env.TILLKIT_REGISTER_WEBHOOK_AT,
  // Tillkit's own keys, newest first: they sign links and references.
  keys: env.TILLKIT_KEYS?.split(","),
  returnUrl: `${env.STOREFRONT_URL}/return`,
  cancelUrl: env.STOREFRONT_URL,
  autoRefund: env.TILLKIT_AUTO_REFUND?.split(","),
  // For carts without a locale, whose country is neither French-speaking nor English-speaking, and for the owner's notifications.
  language: env.TILLKIT_LANGUAGE ?? "fr",
  // Links from the admin to the transaction at the service.
  dashboardUrl: env.TILLKIT_DASHBOARD_URL,
};

module.exports = defineConfig({
  admin: { disable: env.ADMIN !== "true" },
  projectConfig: {
    databaseUrl: env.DATABASE_URL,
    // This store uses plain HTTP on this machine only. A real store leaves out the next line.
    cookieOptions: { secure: false, sameSite: "lax" },
    http: {
      storeCors: env.STOREFRONT_URL,
      adminCors: env.MEDUSA_URL,
      authCors: env.MEDUSA_URL,
      jwtSecret: env.JWT_SECRET,
      cookieSecret: env.COOKIE_SECRET,
    },
  },
  plugins: [{ resolve: "@tillkit/medusa", options: tillkit }],
  modules: [
    {
      resolve: "@medusajs/medusa/payment",
      options: { providers: [{ resolve: "@tillkit/medusa/providers/tillkit", id: "tillkit", options: tillkit }] },
    },
  ],
});
