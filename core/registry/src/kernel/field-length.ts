import { defineErrors } from './error.js'

export const fieldErrors = defineErrors({
  requestFieldTooLarge: {
    kind: 'invalid',
    message: 'Request field size is too large',
    ru: 'Превышен допустимый размер поля запроса',
    kk: 'Сұрау өрісінің өлшемі тым үлкен',
    description: 'A field is longer than its limit; details name the field and the limit.',
  },
  requestFieldNotText: {
    kind: 'invalid',
    message: 'Request field is not text',
    ru: 'Поле запроса содержит не текст',
    kk: 'Сұрау өрісіндегі дерек мәтін емес',
    description: 'A field has a null character or half of a surrogate pair; details name it. Send it without them.',
  },
})

/** Databases cut text at a null character, and cannot store half of a surrogate pair. */
const NOT_TEXT = /[\0\p{Cs}]/u

/** Refuses text of more than `limit` characters with `requestFieldTooLarge`, and text that databases cannot store. */
export function checkLength(field: string, value: string, limit: number): void {
  // A value of limit characters has at most 2 * limit UTF-16 units; a longer one need not be counted.
  if (value.length > 2 * limit || [...value].length > limit) throw fieldTooLarge(field, limit)
  if (NOT_TEXT.test(value)) throw fieldErrors.error('requestFieldNotText', { field })
}

/** Refuses a list of more than `limit` elements with `requestFieldTooLarge`. */
export function checkCount(field: string, list: readonly unknown[], limit: number): void {
  if (list.length > limit) throw fieldTooLarge(field, limit)
}

/** The refusal of a field that is longer than its limit. */
export const fieldTooLarge = (field: string, limit: number) =>
  fieldErrors.error('requestFieldTooLarge', { field, limit })
