import { defineDashboardExtension } from "@vendure/dashboard";
import { OrderPayments } from "./order-payments.tsx";
import { PaymentsToReview } from "./payments-to-review.tsx";

// The package contains this file as source, because Vendure compiles it in the Vite build of the shop's dashboard.
defineDashboardExtension({
  pageBlocks: [
    {
      id: "tillkit-payments",
      title: "Tillkit",
      requiresPermission: "ReadOrder",
      location: {
        pageId: "order-detail",
        column: "main",
        position: { blockId: "payment-details", order: "after" },
      },
      component: ({ context }) => <OrderPayments orderCode={context.entity?.code} />,
    },
  ],
  routes: [
    {
      path: "/tillkit-payments",
      loader: () => ({ breadcrumb: "Tillkit" }),
      navMenuItem: { sectionId: "sales", id: "tillkit-payments", title: "Tillkit", requiresPermission: "ReadOrder" },
      component: () => <PaymentsToReview />,
    },
  ],
});
