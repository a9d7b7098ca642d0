import type { Clock } from "@tillkit/core";
import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";

const MUTATION_POINTS = 10;

/** The points of an operation: ten for a mutation, one for an object, `first` for a list. Similar to Shopify's calculation. */
export function requestedCost(schema: GraphQLSchema, document: DocumentNode): number {
  const types = new TypeInfo(schema);
  let cost = 0;
  visit(
    document,
    visitWithTypeInfo(types, {
      Field(field) {
        const isMutation = types.getParentType() === schema.getMutationType();
        if (isMutation) cost += MUTATION_POINTS;
        else if (isCompositeType(getNamedType(types.getType()))) cost += 1;
        const first = field.arguments?.find(({ name }) => name.value === "first")?.value;
        if (first?.kind === Kind.INT) cost += Number(first.value);
      },
    }),
  );
  return Math.max(1, cost);
}

export type ThrottleStatus = {
  readonly maximumAvailable: number;
  readonly currentlyAvailable: number;
  readonly restoreRate: number;
};

/** A bucket of points that refills by `restoreRate` points a second. */
export type Throttle = {
  /** Takes the points and returns true, or takes no points and returns false if too few are left. */
  take(cost: number): boolean;
  status(): ThrottleStatus;
};

export function createThrottle(
  clock: Clock,
  limit: { readonly maximum: number; readonly restoreRate: number },
): Throttle {
  const { maximum, restoreRate } = limit;
  let available = maximum;
  let restoredAt = clock.now();

  function restore(): void {
    available = Math.min(maximum, available + ((clock.now() - restoredAt) / 1_000) * restoreRate);
    restoredAt = clock.now();
  }

  return {
    take(cost) {
      restore();
      if (cost > available) return false;
      available -= cost;
      return true;
    },
    status() {
      restore();
      return { maximumAvailable: maximum, currentlyAvailable: Math.floor(available), restoreRate };
    },
  };
}
