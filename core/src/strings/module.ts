import { ContainerModule } from 'inversify'
import { provide } from '../kernel/token.js'
import { GetStrings } from './get-strings.js'

export const stringsModule = new ContainerModule(({ bind }) => {
  provide(bind, GetStrings, GetStrings)
})
