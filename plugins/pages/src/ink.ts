/** Relative luminance of `#rrggbb` (WCAG 2.2). */
export function luminance(color: string): number {
  const part = (at: number): number => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

/** Black or white, whichever is read better on a colour: one of them has a contrast of at least 4.5 to 1 on any. */
export const inkOn = (color: string): '#000000' | '#ffffff' =>
  (luminance(color) + 0.05) / 0.05 >= 1.05 / (luminance(color) + 0.05) ? '#000000' : '#ffffff'
