import { showMenuCount } from "./menu-count.ts";
import { OrderWidget } from "./order-widget.tsx";
import { PaymentsPage } from "./payments-page.tsx";
import { ADMIN_TEXTS } from "./texts.ts";

const path = "/tillkit";
const menu = { label: "menu", translationNs: "tillkit" };

/** Written by hand in the form that `medusa plugin:build` would generate: Medusa's admin build expects every module below. */
const plugin = {
  widgetModule: { widgets: [{ Component: OrderWidget, zone: ["order.details.side.before"] }] },
  routeModule: { routes: [{ Component: PaymentsPage, path, handle: menu }] },
  menuItemModule: { menuItems: [{ ...menu, path, nested: "/orders" }] },
  i18nModule: {
    resources: {
      en: { tillkit: { menu: ADMIN_TEXTS.en.pageTitle } },
      fr: { tillkit: { menu: ADMIN_TEXTS.fr.pageTitle } },
    },
  },
  formModule: { customFields: {} },
  displayModule: { displays: {} },
  cellRendererModule: {},
  layoutModule: { layouts: [] },
  searchEntityModule: {},
};

showMenuCount();

export default plugin;
