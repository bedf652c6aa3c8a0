import type { ErrorCatalogue } from '../kernel/error.js'
import { all } from '../kernel/token.js'
import { consts } from './consts.js'
import { ErrorTexts } from './errors-catalogue.js'
import type { Strings } from './schema.js'

/** Answers every message and constant of the service with its translations (specification, `GET /api/strings`). */
export class GetStrings {
  static readonly inject = [all(ErrorTexts)] as const
  readonly #strings: Strings

  constructor(catalogues: ErrorCatalogue[] | undefined) {
    const texts = (catalogues ?? []).flatMap((catalogue) => Object.values(catalogue))
    const errorMessages = Object.fromEntries(
      texts.map(({ message, ru, kk, description }) => [message, { ru, kk, description }]),
    )
    this.#strings = { errorMessages, consts }
  }

  execute(): Strings {
    return this.#strings
  }
}
