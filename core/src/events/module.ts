import { ContainerModule } from 'inversify'
import { provide } from '../kernel/token.js'
import { Outbox } from './outbox.js'

export const eventsModule = new ContainerModule(({ bind }) => {
  provide(bind, Outbox, Outbox)
})
