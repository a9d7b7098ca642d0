import { describe, expect, it } from "vitest";
import { baseStyle, type ColourName, dark, light, textPairs, tokens } from "../src/index.ts";

const palettes: readonly (readonly [string, Readonly<Record<ColourName, string>>])[] = [
  ["light", light],
  ["dark", dark],
];

/** The contrast of two colours by WCAG 2, from 1 to 21. */
function contrast(one: string, other: string): number {
  const [dim = 0, bright = 0] = [luminance(one), luminance(other)].sort((left, right) => left - right);
  return (bright + 0.05) / (dim + 0.05);
}

function luminance(colour: string): number {
  const hex = colour.length === 4 ? colour.replace(/[\da-f]/g, "$&$&") : colour;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe("the colours of all pages", () => {
  it.each(palettes)("text has a contrast of 4.5 or more on its background, in %s", (_, palette) => {
    const weak = textPairs.filter(([text, background]) => contrast(palette[text], palette[background]) < 4.5);
    expect(weak).toEqual([]);
  });

  it.each(palettes)("the border of a field stands out from its page and its card, in %s", (_, palette) => {
    for (const background of ["back", "card"] as const) {
      expect(contrast(palette.edge, palette[background])).toBeGreaterThanOrEqual(3);
    }
  });

  it("every colour for text is checked against a background", () => {
    const checked = new Set(textPairs.flat());
    const unchecked = Object.keys(light).filter((name) => !checked.has(name as ColourName));
    expect(unchecked).toEqual(["line", "edge"]);
  });

  it("the parts use only colours and sizes that exist", () => {
    for (const [, name] of baseStyle.matchAll(/var\((--[\w-]+)\)/g)) expect(tokens).toContain(`${name}:`);
  });
});
