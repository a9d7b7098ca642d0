import { AttentionPage } from "./attention-page.tsx";
import { OrderWidget } from "./order-widget.tsx";
import { WORDS } from "./words.ts";

const path = "/tillkit";
const menu = { label: "menu", translationNs: "tillkit" };

/** What Medusa's admin takes from a plugin, as `medusa plugin:build` would write it. */
const plugin = {
  widgetModule: { widgets: [{ Component: OrderWidget, zone: ["order.details.side.after"] }] },
  routeModule: { routes: [{ Component: AttentionPage, path, handle: menu }] },
  menuItemModule: { menuItems: [{ ...menu, path, nested: "/orders" }] },
  i18nModule: {
    resources: { en: { tillkit: { menu: WORDS.en.page } }, fr: { tillkit: { menu: WORDS.fr.page } } },
  },
  formModule: { customFields: {} },
  displayModule: { displays: {} },
  cellRendererModule: {},
  layoutModule: { layouts: [] },
  searchEntityModule: {},
};

export default plugin;
