import { defineErrors } from '../kernel/error.js'

export const idempotencyErrors = defineErrors({
  invalidIdempotencyKey: {
    kind: 'invalid',
    message: 'Invalid idempotency key',
    ru: 'Некорректный ключ идемпотентности',
    kk: 'Идемпотенттілік кілті дұрыс емес',
    description:
      'A key is 1 to 255 printable ASCII characters without spaces; of a caller who has not authenticated at least 16, best a random UUID.',
  },
  idempotencyKeyReused: {
    kind: 'conflict',
    message: 'Idempotency key was used for another request',
    ru: 'Ключ идемпотентности использован для другого запроса',
    kk: 'Идемпотенттілік кілті басқа сұрау үшін пайдаланылған',
    description:
      'The same caller sent this key with another request within 24 hours. Give each request a key of its own.',
  },
  answerTooLargeToKeep: {
    kind: 'tooLarge',
    message: 'Answer is too large to be kept for an idempotency key',
    ru: 'Ответ слишком велик для хранения по ключу идемпотентности',
    kk: 'Жауап идемпотенттілік кілті бойынша сақтау үшін тым үлкен',
    description:
      'Nothing was registered or sent. Send the request without a key, or the signature without the data in it.',
  },
})
