import { createMemoryLedger } from "@tillkit/core/memory";
import { createSimulatedClock } from "../../simulator/simulated-clock.ts";
import type { OpenStore, SimulatableStore } from "../../store-under-test.ts";
import type { Act } from "../act.ts";
import type { Scenario } from "../scenario.ts";
import { PAID, PAID_TWICE, RECORDED } from "./steps.ts";

type OwnScenario = Omit<Scenario, "store"> & { readonly needs?: "editTotal" | "closing" };

const CLICK = { do: "refund", key: "click" } as const;
const DELIVER: Act = { do: "deliver" };

/** What an adapter alone decides. The engine's own scenarios are tried on the miniature stores. */
const SCENARIOS: readonly OwnScenario[] = [
  { name: "webhook-and-return", before: PAID, acts: [DELIVER, { do: "return", via: 1 }] },
  {
    name: "two-payments",
    before: PAID_TWICE,
    acts: [
      { do: "deliver", payment: 0 },
      { do: "deliver", payment: 1, via: 1 },
    ],
  },
  {
    name: "success-and-owner-closes",
    needs: "closing",
    autoRefund: ["order_not_payable", "order_gone", "duplicate"],
    before: PAID,
    acts: [DELIVER, { do: "close" }],
  },
  { name: "success-and-edit", needs: "editTotal", before: PAID, acts: [DELIVER, { do: "edit", minor: 5_100 }] },
  { name: "success-and-owner-refunds", before: PAID, acts: [DELIVER, { ...CLICK, via: 1 }] },
  { name: "refund-twice", before: RECORDED, acts: [CLICK, { ...CLICK, via: 1 }] },
  { name: "refund-in-dashboard", before: RECORDED, acts: [{ do: "refund-in-dashboard" }] },
];

/** The scenarios that this store can play. */
export async function scenariosOf(openStore: OpenStore<SimulatableStore>): Promise<readonly Scenario[]> {
  const { records } = createMemoryLedger();
  const authorize = () => Promise.reject(new Error("Nothing is authorized yet."));
  const store = await openStore({ clock: createSimulatedClock(0), records, authorize });
  const offers = { editTotal: store.editTotal !== undefined, closing: canClose(store) };
  await store.close?.();
  return SCENARIOS.filter(({ needs }) => needs === undefined || offers[needs]).map(({ needs: _, ...scenario }) => ({
    ...scenario,
    store: openStore,
  }));
}

function canClose({ makeUnpayable, payOutside }: SimulatableStore): boolean {
  return makeUnpayable !== undefined || payOutside !== undefined;
}
