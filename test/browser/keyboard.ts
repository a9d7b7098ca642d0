import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { pathOf } from "./phone.ts";

/** More stops than any page has before what a person looks for. */
const MOST_STOPS = 80;

/**
 * What is wrong with the focus, or null: it must be on an element that shows an outline, by itself or by its label, and that is on the
 * screen with nothing over it. Strings, because this repository's types do not include the DOM.
 */
const FOCUS_PROBLEM = `(() => {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return null;
  const name = focused.outerHTML.slice(0, 120);
  const hasOutline = (element) => {
    const { outlineStyle, outlineWidth, opacity } = getComputedStyle(element);
    return outlineStyle !== "none" && outlineWidth !== "0px" && opacity !== "0";
  };
  const shown = [focused, ...(focused.labels ?? [])].find(hasOutline);
  if (shown === undefined) return "no outline: " + name;
  const { left, top, width, height } = shown.getClientRects()[0];
  const [x, y] = [left + width / 2, top + Math.min(height, innerHeight) / 2];
  const at = document.elementFromPoint(x, y);
  if (at === null) return "outside the screen: " + name;
  return shown.contains(at) || at.contains(shown) ? null : "behind " + at.outerHTML.slice(0, 80) + ": " + name;
})()`;

/** Presses Tab `stops` times. Every element that receives the focus must show it. */
export async function walkByKeyboard(page: Page, stops: number): Promise<void> {
  for (let stop = 0; stop < stops; stop += 1) await pressTab(page);
}

async function pressTab(page: Page): Promise<void> {
  await page.keyboard.press("Tab");
  expect(await page.evaluate(FOCUS_PROBLEM), `focus on ${pathOf(page)}`).toBeNull();
}

/** Presses Tab until `target` has the focus, and checks that each stop on the way shows it. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor({ state: "attached" });
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await pressTab(page);
    const isFocused = (element: unknown) => (element as { matches(selector: string): boolean }).matches(":focus");
    if (await target.evaluate(isFocused)) return;
  }
  throw new Error(`Tab never reaches ${target} on ${pathOf(page)}.`);
}

/** Reaches a link or a button by Tab and presses Enter. */
export async function enter(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

/** Reaches a field by Tab, which selects what is in it, and types over it. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.type(text);
}
