/** One line of the sidebar: a page, whose link has no suffix such as `.html`. */
type Page = { readonly text: string; readonly link: string };
type Group = { readonly text: string; readonly items: readonly Page[] };

/** The packages that have a reference in the sidebar. */
const referencePackages = [
  "client",
  "core",
  "runtime",
  "server",
  "ledger",
  "sql",
  "testkit",
  "sandbox",
  "cli",
  "php-bridge",
  "prestashop",
  "medusa",
  "shopify",
  "vendure",
  "woocommerce",
] as const;

/** Every page in English, in the order in which a newcomer reads. */
export const englishSidebar: readonly Group[] = [
  {
    text: "Quick start",
    items: [
      { text: "Your own platform", link: "/quick-start/own-platform" },
      { text: "Medusa", link: "/quick-start/medusa" },
      { text: "Vendure", link: "/quick-start/vendure" },
      { text: "WooCommerce", link: "/quick-start/woocommerce" },
      { text: "PrestaShop", link: "/quick-start/prestashop" },
      { text: "Shopify", link: "/quick-start/shopify" },
      { text: "Client only", link: "/quick-start/client" },
    ],
  },
  {
    text: "Concepts",
    items: [
      { text: "The two ways of a payment", link: "/concepts/two-ways" },
      { text: "Write classes", link: "/concepts/writes" },
      { text: "Leases and fencing", link: "/concepts/fencing" },
      { text: "Refunds", link: "/concepts/refunds" },
      { text: "Held payments", link: "/concepts/holds" },
    ],
  },
  {
    text: "Guides",
    items: [
      { text: "Is money missing?", link: "/guides/money-missing" },
      { text: "How certain is a finding?", link: "/guides/money-missing-certainty" },
      { text: "The sandbox", link: "/guides/sandbox" },
      { text: "Break it on purpose", link: "/guides/break-it" },
      { text: "The command line", link: "/guides/command-line" },
      { text: "Going live", link: "/guides/going-live" },
      { text: "Refund a payment", link: "/guides/refunds" },
      { text: "Payments that take minutes", link: "/guides/pending" },
      { text: "Platforms that are only told", link: "/guides/tell-only" },
      { text: "Deployment and proxies", link: "/guides/deployment" },
      { text: "Webhooks on your machine", link: "/guides/tunnels" },
      { text: "Developers' assistants", link: "/guides/assistants" },
      { text: "Move from your own integration", link: "/guides/moving" },
      { text: "Run it for your customers", link: "/guides/for-customers" },
      { text: "Several processes", link: "/guides/scaling" },
      { text: "Traces, metrics and alerts", link: "/guides/observability" },
      { text: "Backups and recovery", link: "/guides/backups" },
      { text: "Security", link: "/guides/security" },
      { text: "Privacy", link: "/guides/privacy" },
      { text: "Cards, accessibility, data", link: "/guides/pci" },
    ],
  },
  {
    text: "Reference",
    items: [
      { text: "When something goes wrong", link: "/errors" },
      { text: "The service's API", link: "/service-api/" },
      { text: "Options", link: "/options" },
      { text: "Glossary", link: "/glossary" },
      { text: "Measurements", link: "/measurements" },
      { text: "Changelog", link: "/changelog" },
    ],
  },
  {
    text: "Packages",
    items: [
      { text: "Overview", link: "/api/" },
      ...referencePackages.map((name) => ({ text: `@tillkit/${name}`, link: `/api/${name}/` })),
      { text: "create-tillkit", link: "/api/create-tillkit/" },
    ],
  },
];

/** Every page in French, for the owners of shops and their shoppers. */
export const frenchSidebar: readonly Group[] = [
  {
    text: "Premiers pas",
    items: [
      { text: "WooCommerce", link: "/fr/quick-start/woocommerce" },
      { text: "PrestaShop", link: "/fr/quick-start/prestashop" },
      { text: "Shopify", link: "/fr/quick-start/shopify" },
      { text: "Medusa", link: "/fr/quick-start/medusa" },
      { text: "Vendure", link: "/fr/quick-start/vendure" },
    ],
  },
  {
    text: "Guides",
    items: [
      { text: "Manque-t-il de l’argent ?", link: "/fr/guides/money-missing" },
      { text: "Avec quelle certitude ?", link: "/fr/guides/money-missing-certainty" },
      { text: "Mise en production", link: "/fr/guides/going-live" },
      { text: "Rembourser un paiement", link: "/fr/guides/refunds" },
      { text: "Paiements en attente", link: "/fr/guides/pending" },
      { text: "Un serveur pour vos clients", link: "/fr/guides/for-customers" },
      { text: "Données personnelles", link: "/fr/guides/privacy" },
      { text: "Cartes, accessibilité, données", link: "/fr/guides/pci" },
    ],
  },
  {
    text: "Référence",
    items: [
      { text: "En cas de problème", link: "/fr/errors" },
      { text: "Glossaire", link: "/fr/glossary" },
    ],
  },
];
