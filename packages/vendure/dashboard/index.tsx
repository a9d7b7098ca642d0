import { defineDashboardExtension } from "@vendure/dashboard";
import { OrderPayments } from "./order-payments.tsx";
import { PaymentsToReview } from "./payments-to-review.tsx";

// Shipped as source: Vendure's Vite build of the shop compiles it.
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
