import { defineMiddlewares } from "@medusajs/framework/http";

/** The signature covers the raw bytes of a webhook, so Medusa must not parse its body. Our own size limit applies instead. */
export default defineMiddlewares({
  routes: [{ matcher: "/tillkit/webhooks/:endpointId", methods: ["POST"], bodyParser: false }],
});
