import { defineErrors } from './error.js'

export const fieldErrors = defineErrors({
  requestFieldTooLarge: {
    kind: 'invalid',
    message: 'Request field size is too large',
    ru: 'Превышен допустимый размер поля запроса',
    kk: 'Сұрау өрісінің өлшемі тым үлкен',
    description: 'A field is longer than its limit; details name the field and the limit.',
  },
})

/** Refuses text of more than `limit` characters with `requestFieldTooLarge`. */
export function checkLength(field: string, value: string, limit: number): void {
  // A value of limit characters has at most 2 * limit UTF-16 units; more need not be counted.
  if (value.length > 2 * limit || [...value].length > limit) throw fieldTooLarge(field, limit)
}

/** Refuses a list of more than `limit` elements with `requestFieldTooLarge`. */
export function checkCount(field: string, list: readonly unknown[], limit: number): void {
  if (list.length > limit) throw fieldTooLarge(field, limit)
}

/** The refusal of a field that is longer than its limit. */
export const fieldTooLarge = (field: string, limit: number) =>
  fieldErrors.error('requestFieldTooLarge', { field, limit })
