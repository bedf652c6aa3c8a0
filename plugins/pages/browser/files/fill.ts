/** A text with values in its places, `{0}`, `{1}`. */
export const fill = (text: string, ...values: readonly (string | number)[]): string =>
  text.replace(/\{(\d)\}/g, (_, place) => `${values[Number(place)] ?? ''}`)
