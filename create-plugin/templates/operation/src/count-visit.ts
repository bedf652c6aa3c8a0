import { type Answer, anyone, type Caller, type Injected, type Input, operation, port } from '@signed-registry/core'
import { Type } from 'typebox'
import { visitErrors } from './errors.js'
import { VisitStore } from './visit-store.js'

/** Names of visitors that are refused: an option of the plugin. */
export const RefusedVisitors = port<readonly string[]>('OurPluginRefusedVisitors', 'required')

/** Counts a visit. `who` says who may call it, `refuses` what it may answer beside that; OpenAPI and clients are made of this. */
export class CountVisit {
  static readonly operation = operation({
    id: 'countOurPluginVisit',
    group: 'utility',
    at: 'POST /our-plugin/:name',
    who: anyone(),
    summary: 'Count a visit',
    params: Type.Object({ name: Type.String({ pattern: '^[a-z]{1,40}$' }) }),
    answer: Type.Object({ visits: Type.Integer() }),
    refuses: ['visitorRefused'],
  })
  static readonly inject = { visits: VisitStore, refused: RefusedVisitors }

  constructor(private readonly use: Injected<typeof CountVisit.inject>) {}

  async execute(
    _caller: Caller,
    { name }: Input<typeof CountVisit.operation>,
  ): Promise<Answer<typeof CountVisit.operation>> {
    if (this.use.refused.includes(name)) throw visitErrors.error('visitorRefused')
    return { visits: await this.use.visits.add(name) }
  }
}
