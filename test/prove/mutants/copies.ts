import { inPackage } from "./in-package.ts";
import type { Mutant } from "./mutant.ts";

const inCore = inPackage("core");
const inWooCommerce = inPackage("woocommerce");
const inPlugin = inPackage("woocommerce", "wordpress-plugin/tillkit-checkout");
const inBridge = inPackage("php-bridge", "php", "woocommerce");
const inBridgeServer = inPackage("php-bridge", "src", "woocommerce");
const INSTALLATIONS = { file: "resilience/installations.ts", test: "resilience/installations" };
const COPIED_SITE = { test: "copied-site" };

/** Mutants of what is known of copies: of a shop with its database, and of an order with its payment. */
export const copies: readonly Mutant[] = [
  inCore({
    ...INSTALLATIONS,
    id: "copy-www",
    breaks: "A shop that is called with www. counts as a copy of itself, and refunds nothing.",
    find: `.replace(/^www\\./, "")`,
    title: "www. makes no other installation",
  }),
  inCore({
    ...INSTALLATIONS,
    id: "copy-first-caller",
    breaks: "A staging site that calls first counts as the original: its refunds are real.",
    find: "const first = configuredUrl !== undefined || isLoopbackUrl(url) ? configured : [address];",
    replace: "const first = isLoopbackUrl(url) ? configured : [address];",
    title: "a staging site is another installation than the configured one, also where it is the first that calls",
  }),
  inCore({
    ...INSTALLATIONS,
    id: "copy-folder",
    breaks: "A restored backup in a folder of the shop's host refunds real money.",
    find: `\${parsed.pathname.replace(/\\/+$/, "")}`,
    title:
      "a backup in a folder is another installation than the configured one, also where it is the first that calls",
  }),
  inCore({
    ...INSTALLATIONS,
    id: "copy-of-laptop",
    breaks: "A server that was tried on a laptop counts as a copy of it from its first day on.",
    find: "configuredUrl !== undefined || isLoopbackUrl(url)",
    replace: "configuredUrl !== undefined",
    title: "a host is at its first address, and a host of this machine that was never anywhere else is no copy",
  }),
  inCore({
    ...INSTALLATIONS,
    id: "copy-asked-again",
    breaks: "The owner of a copy is asked again for ever what it is.",
    find: "const unanswered = others.filter(({ isCopy }) => !isCopy);",
    replace: "const unanswered = others;",
    title: "an address that is a copy stays one, and nobody is asked about it again",
  }),
  inCore({
    ...INSTALLATIONS,
    id: "copy-moved-away",
    breaks: "A shop that has a second domain refunds nothing at its first one.",
    find: "return { known: [...known, address], others };",
    replace: "return { known: [address], others };",
    title: "a shop that was never configured stays at its first address when its owner adds another one",
  }),
  inCore({
    id: "copied-ledger-refunds",
    breaks: "A server that was copied with its database refunds real money.",
    file: "refunds/assert-refundable.ts",
    find: "  if (original === null) return;\n",
    replace: "  return;\n",
    test: "refunds/copied-ledger",
    title: "a ledger that was copied to another address refunds nothing until a person says that the shop moved",
  }),
  inCore({
    id: "copied-ledger-sends-again",
    breaks: "A copied server sends the refunds again that the original had under way.",
    file: "refunds/assert-refundable.ts",
    find: "  if (original === null) return;\n",
    replace: "  return;\n",
    test: "refunds/copied-ledger",
    title: "a copied ledger does not send a refund again that the original had under way",
  }),
  inBridgeServer({
    ...COPIED_SITE,
    id: "woo-copy-refunds",
    breaks: "A staging copy of a WordPress site refunds real money.",
    file: "calls/call-site.ts",
    find: `new Set(["refund", "decide", "export", "erase"])`,
    replace: `new Set(["decide", "export", "erase"])`,
    title: "a copy of the site refunds, decides, exports and erases nothing, and is told whose copy it looks like",
  }),
  inBridgeServer({
    ...COPIED_SITE,
    id: "woo-copy-erases",
    breaks: "A staging copy of a WordPress site erases the original's payments.",
    file: "calls/call-site.ts",
    find: `new Set(["refund", "decide", "export", "erase"])`,
    replace: `new Set(["refund", "decide", "export"])`,
    title: "a copy of the site refunds, decides, exports and erases nothing, and is told whose copy it looks like",
  }),
  inBridgeServer({
    ...COPIED_SITE,
    id: "woo-copy-not-told",
    breaks: "A copy that only reads its orders never learns what it is, until a refund fails.",
    file: "calls/receive-call.ts",
    find: "return { ...answered, body: { ...answered.body, copy_of: original } };",
    replace: "return answered;",
    title: "a copy reads its orders and pays, and learns there too that it looks like a copy",
  }),
  inBridgeServer({
    ...COPIED_SITE,
    id: "woo-copy-without-address",
    breaks: "A copy with an old plugin, which names no address, refunds real money.",
    file: "calls/receive-call.ts",
    find: "  if (site === null && ORIGINAL_ONLY.has(purpose)) return badRequest(call);\n",
    title: "a call that names no address refunds nothing, and one of a proxy's port does",
  }),
  inPlugin({
    id: "woo-php-copy-by-language",
    breaks: "A shop with a domain for each language counts as a copy of itself.",
    file: "shop/settings.php",
    find: "return (string) ( $stored['home'] ?? get_option( 'home' ) );",
    replace: "return home_url();",
    test: "wordpress-plugin",
    title:
      "Every call names the address that the owner has set, also where a plugin lets home_url() answer with the domain of a language",
  }),
  inBridge({
    id: "woo-php-copy-keeps-secrets",
    breaks: "A copy whose owner said what it is keeps the secret of the original.",
    file: "connection/copy-of-site.php",
    find: "	tillkit_host()->save( 'link_secrets', null );\n",
    test: "wordpress-plugin",
    title:
      "A copy goes to test mode and forgets the store and the secrets of the original, also while the checkout server does not answer",
  }),
  inCore({
    id: "copied-payment-is-other-payer",
    breaks: "The only payment of a renewal, which shows the payment of its parent, is sent back by rule.",
    file: "domain/known-payer.ts",
    find: "return isKnown ? order :",
    replace: "return isKnown || true ? order :",
    test: "domain/judge",
    title:
      "the only payment of an order that shows the payment of another order is held and not refunded by rule, because other plug-ins copy orders",
  }),
  inCore({
    id: "copied-payment-answered",
    breaks: "A payment is sent back by rule because another plug-in copied an order during its write.",
    file: "confirm/write-paid.ts",
    find: "findPaidOutside(withKnownPayer(order, await engine.ledger.paymentsOfOrder(payment.ref)))",
    replace: "findPaidOutside(order)",
    test: "confirm/confirm-payment",
    title: "a payment is held and not refunded by rule when its store names a payment that is none of the order's",
  }),
  inWooCommerce({
    id: "woo-copied-payment",
    breaks: "A renewal with the copied meta of its parent counts as paid by the parent's payment.",
    file: "store/paid-by.ts",
    find: `return hasCopiedPayment(order) ? "" : metaOf(order, META.payment);`,
    replace: "return metaOf(order, META.payment);",
    test: "adapter",
    title:
      "a renewal that is pending and carries date, payment and transaction of its parent is not paid by that payment",
  }),
];
