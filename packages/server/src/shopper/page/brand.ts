import { addressFault } from "@tillkit/client";
import type { StoreAdapter } from "@tillkit/core";

/** A shop's own look on our pages. */
export type Branding = NonNullable<StoreAdapter["branding"]>;

const HEX_COLOR = /^#[\da-f]{6}$/i;

/** The address of the shop's logo; null for one that a page must not show. */
export function logoUrl({ logoUrl: url }: Branding): string | null {
  return url === undefined || addressFault(url, "picture") !== null ? null : new URL(url).href;
}

/** Style rules that paint the main button in the shop's colour. An invalid colour changes nothing. */
export function brandStyle({ color = "" }: Branding): string {
  if (!HEX_COLOR.test(color)) return "";
  return `\n.button{background:${color};color:${readableOn(color)}}`;
}

/** Black or white, whichever has the higher contrast ratio of WCAG on the colour. The higher ratio is always 4.5 or more. */
function readableOn(color: string): "#000" | "#fff" {
  const light = luminance(color);
  const [onWhite, onBlack] = [1.05 / (light + 0.05), (light + 0.05) / 0.05];
  return onWhite >= onBlack ? "#fff" : "#000";
}

/** The relative luminance of WCAG, from 0 (black) to 1 (white). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
