import { defineMiddlewares } from "@medusajs/framework/http";

/** The signature of a webhook is over its bytes: no parser may touch them, and none of Medusa's limits applies. */
export default defineMiddlewares({
  routes: [{ matcher: "/tillkit/webhooks/:endpointId", methods: ["POST"], bodyParser: false }],
});
