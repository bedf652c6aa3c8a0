import { defineErrors } from '@signed-registry/verifier'

/** Refusals for reasons other than the signature itself. */
export const largeSignatureErrors = defineErrors({
  largeSignatureNotRead: {
    kind: 'unavailable',
    message: 'Large signature cannot be read now',
    ru: 'Сейчас невозможно прочитать подпись такого размера',
    kk: 'Мұндай көлемді қолтаңбаны қазір оқу мүмкін емес',
    description:
      'Signatures over 64 KiB, with the data inside, are read one after the other: too many wait, or reading them failed. Repeat later, or sign without the data inside.',
  },
})
