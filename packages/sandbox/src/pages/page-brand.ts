import type { Branding } from "../network/branding.ts";
import { type Html, html } from "./html.ts";

/** The merchant of a page. A Member Account can have its own name, colour and logo. */
export type PageBrand = { name: string; color: string | null; logo: string | null };

export function createBrand({ name }: { name: string }, branding: Branding = {}): PageBrand {
  const color = branding.color === undefined ? null : darkenUntilReadable(branding.color);
  return { name: branding.name ?? name, color, logo: branding.logo ?? null };
}

/** The logo or the initial, with the name. */
export function brandHeader({ name, logo }: PageBrand): Html {
  const initial = [...name.trim()][0] ?? "";
  const mark =
    logo === null
      ? html`<span class="mark" aria-hidden="true">${initial.toUpperCase()}</span>`
      : html`<img class="mark" src="${logo}" alt="">`;
  return html`<span class="shop">${mark}${name}</span>`;
}

/** The share of white in the background of a chosen payment method. */
const TINT_WHITE = 0.93;
/** The brightness of a pressed button. */
const PRESS_SHADE = 0.8;

/** CSS that replaces the default colours by the colour of the brand. */
export function brandStyle({ color }: PageBrand): Html | null {
  if (color === null) return null;
  const tint = toHex(channelsOf(color).map((channel) => channel + (255 - channel) * TINT_WHITE));
  const press = toHex(channelsOf(color).map((channel) => channel * PRESS_SHADE));
  return html`:root{--main:${color};--deep:${color};--press:${press};--tint:${tint}}`;
}

/** The highest luminance at which the pale header text keeps a contrast of 4.5:1. */
const maximumLuminance = 0.129;

/** The colour, darkened until text on it is readable. */
function darkenUntilReadable(color: string): string {
  let rgb = channelsOf(color);
  while (luminance(rgb) > maximumLuminance) rgb = rgb.map((channel) => channel * 0.95);
  return toHex(rgb);
}

function channelsOf(color: string): number[] {
  // Where red, green and blue begin in `#rrggbb`.
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}

function toHex(rgb: readonly number[]): string {
  return `#${rgb.map((channel) => Math.floor(channel).toString(16).padStart(2, "0")).join("")}`;
}

/** The relative luminance of WCAG 2. */
function luminance(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
