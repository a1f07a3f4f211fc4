// Looks at a part of the page as people see it: on a wide screen and a phone, in a dark theme and a light one.

import { expect } from 'vitest';
import type { Tavern } from './harness.ts';

const SCREENS: readonly (readonly [width: number, height: number])[] = [
  [1400, 900],
  [390, 844],
];

/** SillyTavern ships dark themes only; this is what people make of a light one. */
const LIGHT: Readonly<Record<string, string>> = {
  '--SmartThemeBodyColor': 'rgb(38, 38, 36)',
  '--SmartThemeEmColor': 'rgb(92, 92, 88)',
  '--SmartThemeQuoteColor': 'rgb(148, 78, 0)',
  '--SmartThemeBlurTintColor': 'rgb(246, 245, 241)',
  '--SmartThemeChatTintColor': 'rgb(236, 235, 230)',
  '--SmartThemeBorderColor': 'rgba(0, 0, 0, 0.22)',
  '--SmartThemeShadowColor': 'rgba(0, 0, 0, 0)',
};

/** What is wrong with a part of the page; empty is good. */
export interface Faults {
  /** Elements that stand out of their box or of the screen. */
  readonly overflow: readonly string[];
  /** Texts with less than 4.5 : 1 against what is behind them. */
  readonly faint: readonly string[];
  /** Text under 12 px. */
  readonly small: readonly string[];
  /** Rings around what has the focus, with less than 3 : 1. */
  readonly ring: readonly string[];
  /** Buttons that a finger does not hit (under 36 px), where the screen is a phone's. */
  readonly tiny: readonly string[];
}

/**
 * Takes pictures of the page on every screen in every theme, and fails for what `selector` shows badly.
 *
 * @param name start of the pictures' names, in test/e2e/shots
 */
export async function lookAt(
  tavern: Tavern,
  name: string,
  selector: string,
  screens = SCREENS,
): Promise<void> {
  const { page } = tavern;
  const usual = page.viewportSize();
  for (const theme of ['dark', 'light'] as const) {
    await wear(tavern, theme);
    for (const [width, height] of screens) {
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(350);
      await tavern.screenshot(`${name}-${width}-${theme}`);
      const faults = await faultsOf(tavern, selector);
      expect(faults, `${name} at ${width} px, ${theme}`).toEqual({
        overflow: [],
        faint: [],
        small: [],
        ring: [],
        tiny: [],
      });
    }
  }
  await wear(tavern, 'dark');
  if (usual) await page.setViewportSize(usual);
}

async function wear(tavern: Tavern, theme: 'dark' | 'light'): Promise<void> {
  await tavern.page.evaluate(
    ([colours, isLight]) => {
      const style = document.documentElement.style;
      const page = globalThis as unknown as { usualColours?: Record<string, string> };
      page.usualColours ??= Object.fromEntries(
        Object.keys(colours).map((key) => [key, style.getPropertyValue(key)]),
      );
      for (const [key, value] of Object.entries(isLight ? colours : page.usualColours))
        style.setProperty(key, value);
    },
    [LIGHT, theme === 'light'] as const,
  );
}

function faultsOf(tavern: Tavern, selector: string): Promise<Faults> {
  return tavern.page.evaluate((wanted) => {
    type Colour = readonly [number, number, number, number];
    const parse = (text: string): Colour => {
      const numbers = (text.match(/-?[\d.]+/g) ?? []).map(Number);
      const [a = 0, b = 0, c = 0, alpha = 1] = numbers;
      return text.startsWith('color(') ? [a * 255, b * 255, c * 255, alpha] : [a, b, c, alpha];
    };
    const over = (top: Colour, below: Colour): Colour => {
      const mix = (index: 0 | 1 | 2) => top[index] * top[3] + below[index] * (1 - top[3]);
      return [mix(0), mix(1), mix(2), 1];
    };
    const behind = (element: Element): Colour => {
      const stack: Colour[] = [];
      for (let at: Element | null = element; at; at = at.parentElement) {
        const colour = parse(getComputedStyle(at).backgroundColor);
        if (colour[3] > 0) stack.push(colour);
        if (colour[3] === 1) break;
      }
      const ground = parse(
        getComputedStyle(document.documentElement).getPropertyValue('--SmartThemeChatTintColor'),
      );
      return stack
        .reverse()
        .reduce((below, top) => over(top, below), [ground[0], ground[1], ground[2], 1] as Colour);
    };
    const luminance = (colour: Colour): number => {
      const part = (index: 0 | 1 | 2) => {
        const value = colour[index] / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      };
      return 0.2126 * part(0) + 0.7152 * part(1) + 0.0722 * part(2);
    };
    const opacity = (element: Element): number => {
      let all = 1;
      for (let at: Element | null = element; at && at !== root; at = at.parentElement) {
        all *= Number(getComputedStyle(at).opacity);
      }
      return all;
    };
    const contrast = (element: Element, colour: string): number => {
      const ground = behind(element);
      const [red, green, blue, alpha] = parse(colour);
      const ink: Colour = [red, green, blue, alpha * opacity(element)];
      const [light, dark] = [luminance(over(ink, ground)), luminance(ground)].sort((a, b) => b - a) as [
        number,
        number,
      ];
      return (light + 0.05) / (dark + 0.05);
    };

    const root = [...document.querySelectorAll(wanted)].at(-1);
    if (!root) throw new Error(`nothing to look at: ${wanted}`);
    const faults = {
      overflow: [] as string[],
      faint: [] as string[],
      small: [] as string[],
      ring: [] as string[],
      tiny: [] as string[],
    };
    const isShown = (element: Element) => {
      const box = element.getBoundingClientRect();
      // What is folded away has the size of another time.
      return box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true });
    };
    for (const element of [root, ...root.querySelectorAll('*')]) {
      if (!isShown(element)) continue;
      const box = element.getBoundingClientRect();
      const own = [...element.childNodes]
        .filter((node) => node.nodeType === 3)
        .map((node) => node.textContent?.trim())
        .join('');
      const name = `${element.tagName.toLowerCase()}.${element.className} ${own.slice(0, 30)}`;
      if (box.left < -1 || box.right > innerWidth + 1) faults.overflow.push(name);
      else if (
        element.scrollWidth > element.clientWidth + 1 &&
        element.clientWidth > 0 &&
        getComputedStyle(element).display !== 'inline' &&
        // Meant to be cut: an ellipsis says so.
        getComputedStyle(element).textOverflow !== 'ellipsis'
      ) {
        faults.overflow.push(`${name} (${element.scrollWidth} in ${element.clientWidth})`);
      }
      if (
        innerWidth <= 600 &&
        element.matches('.menu_button, button, select') &&
        !element.matches('.toast-close-button') &&
        box.height < 35.5
      ) {
        faults.tiny.push(`${name} ${Math.round(box.height)}`);
      }
      const { outlineStyle, outlineColor } = getComputedStyle(element);
      if (outlineStyle !== 'none' && element.matches(':focus-visible, :has(:focus-visible)')) {
        const ratio = contrast(element.parentElement ?? element, outlineColor);
        if (ratio < 3 && element.matches(':not(.lf-file)')) faults.ring.push(`${name} ${ratio.toFixed(2)}`);
      }
      if (own === '' || element.tagName === 'OPTION') continue;
      if (Number.parseFloat(getComputedStyle(element).fontSize) < 11.9) faults.small.push(name);
      const ratio = contrast(element, getComputedStyle(element).color);
      if (ratio < 4.5) faults.faint.push(`${name} ${ratio.toFixed(2)}`);
    }
    return faults;
  }, selector);
}
