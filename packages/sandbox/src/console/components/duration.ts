import type { ConsoleTexts } from "../texts/texts.ts";

/** A duration such as `1 d 2 h 5 min`. */
export function durationText({ clock }: ConsoleTexts, milliseconds: number): string {
  if (milliseconds === 0) return "0 s";
  const minutes = Math.floor(milliseconds / 60_000);
  const parts = [
    [Math.floor(minutes / 1440), clock.day],
    [Math.floor(minutes / 60) % 24, "h"],
    [minutes % 60, "min"],
    [Math.floor(milliseconds / 1000) % 60, "s"],
  ].filter(([number]) => number !== 0);
  return parts.map((part) => part.join(" ")).join(" ");
}
