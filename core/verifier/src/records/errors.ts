import { defineErrors, type RegistryError } from '../error.js'

export const recordErrors = defineErrors({
  evidenceRecordNotRead: {
    kind: 'invalid',
    message: 'Evidence record cannot be read',
    ru: 'Не удалось прочитать запись доказательств',
    kk: 'Дәлелдеме жазбасын оқу мүмкін болмады',
    description:
      'The bytes are no evidence record of RFC 4998, exceed a limit on size or depth, or the record is about encrypted data: details.reason says which.',
  },
  evidenceRecordNotProved: {
    kind: 'unacceptable',
    message: 'Evidence record does not prove since when the data exists',
    ru: 'Запись доказательств не подтверждает, с какого времени существуют данные',
    kk: 'Дәлелдеме жазбасы деректердің қай уақыттан бар екенін растамайды',
    description:
      'The record is not about the data, its archive time stamps do not continue each other, or one of them was not renewed in time: details.reason says why, details.chain and details.stamp which one (the first is 0).',
  },
})

/** Where an archive time stamp stands in its record, from 0. */
export interface Place {
  readonly chain: number
  readonly stamp: number
}

/** `evidenceRecordNotProved` with its reason. */
export const notProved = (reason: string, facts: object = {}, cause?: unknown): RegistryError =>
  recordErrors.error('evidenceRecordNotProved', { reason, ...facts }, cause)
