import { ContainerModule } from 'inversify'
import { provide } from '../kernel/token.js'
import { Timeline } from './timeline.js'
import { TimelineMarks } from './timeline-marks.js'

export const databaseModule = new ContainerModule(({ bind }) => {
  provide(bind, TimelineMarks, TimelineMarks)
  provide(bind, Timeline, Timeline)
})
