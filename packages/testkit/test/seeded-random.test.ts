import { createSeededRandom } from "@tillkit/testkit";
import { describe, expect, it } from "vitest";

describe("the seeded random", () => {
  it("the same seed gives the same numbers, and another seed gives other numbers", () => {
    const valuesOf = (seed: number) => {
      const random = createSeededRandom(seed);
      return [random.uuid(), random.fraction(), random.uuid(), random.fraction()];
    };
    expect(valuesOf(7)).toEqual(valuesOf(7));
    expect(valuesOf(7)).not.toEqual(valuesOf(8));
  });

  it("a seeded random makes UUIDs of version 4 that do not repeat", () => {
    const random = createSeededRandom(1);
    const ids = Array.from({ length: 5_000 }, () => random.uuid());
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("a seeded random spreads fractions evenly from 0 to 1", () => {
    const random = createSeededRandom(42);
    const tenths = Array.from({ length: 10 }, () => 0);
    for (let draw = 0; draw < 10_000; draw += 1) {
      const tenth = Math.floor(random.fraction() * 10);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    expect(tenths).toHaveLength(10);
    for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });
});
