import type { Branding } from "../network/branding.ts";
import { type Html, html } from "./html.ts";

/** Whose page it is: a merchant, or a Member Account with its own name, colour and logo. */
export type PageBrand = { name: string; color: string | null; logo: string | null };

export function createBrand({ name }: { name: string }, branding: Branding = {}): PageBrand {
  const color = branding.color === undefined ? null : readable(branding.color);
  return { name: branding.name ?? name, color, logo: branding.logo ?? null };
}

/** Logo or initial, and the name. */
export function brandHeader({ name, logo }: PageBrand): Html {
  const initial = [...name.trim()][0] ?? "";
  const mark =
    logo === null
      ? html`<span class="mark" aria-hidden="true">${initial.toUpperCase()}</span>`
      : html`<img class="mark" src="${logo}" alt="">`;
  return html`<span class="shop">${mark}${name}</span>`;
}

/** The shop's colour in the place of ours. */
export function brandStyle({ color }: PageBrand): Html | null {
  if (color === null) return null;
  const tint = hex(channels(color).map((channel) => channel + (255 - channel) * 0.93));
  const press = hex(channels(color).map((channel) => channel * 0.8));
  return html`:root{--brand:${color};--deep:${color};--press:${press};--tint:${tint}}`;
}

/** Darkest luminance at which the pale text of the head keeps 4.5:1. */
const darkEnough = 0.129;

/** The colour itself, or as much darker as its text needs. */
function readable(color: string): string {
  let rgb = channels(color);
  while (luminance(rgb) > darkEnough) rgb = rgb.map((channel) => channel * 0.95);
  return hex(rgb);
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function hex(rgb: readonly number[]): string {
  return `#${rgb.map((channel) => Math.floor(channel).toString(16).padStart(2, "0")).join("")}`;
}

/** WCAG 2's relative luminance. */
function luminance(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
