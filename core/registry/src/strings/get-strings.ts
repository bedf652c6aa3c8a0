import { anyone } from '../identity/index.js'
import { ErrorTexts } from '../kernel/compose.js'
import { operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { VehicleRegistration, vehicleConsts } from '../vehicle-registration/index.js'
import { consts } from './consts.js'
import { Strings } from './schema.js'

/** Answers all messages and constants of the service with translations (specification, `GET /api/strings`). */
export class GetStrings {
  static readonly operation = operation({
    id: 'getStrings',
    group: 'utility',
    at: 'GET /strings',
    who: anyone(),
    summary: 'Every message and constant with its translations',
    description: 'English, Russian and Kazakh texts of errors, roles and states, by the codes that answers give.',
    answer: Strings,
  })
  static readonly inject = { catalogues: ErrorTexts, vehicles: VehicleRegistration }
  private readonly strings: Strings

  constructor({ catalogues, vehicles }: Injected<typeof GetStrings.inject>) {
    const texts = catalogues.flatMap((catalogue) => Object.values(catalogue))
    const errorMessages = Object.fromEntries(
      texts.map(({ message, ru, kk, description }) => [message, { ru, kk, description }]),
    )
    this.strings = { errorMessages, consts: { ...consts, ...vehicleConsts(vehicles?.catalogue) } }
  }

  execute(): Strings {
    return this.strings
  }
}
