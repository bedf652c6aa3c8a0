import { type Answer, anyone, type Caller, type Injected, type Input, operation } from '@signed-registry/core'
import { Type } from 'typebox'
import { directoryErrors } from './errors.js'
import { NameStore } from './name-store.js'

/** Answers the name of an organization. */
export class GetOrganizationName {
  static readonly operation = operation({
    id: 'getOrganizationName',
    group: 'organizations',
    at: 'GET /organizations/:bin',
    who: anyone(),
    summary: 'Name of an organization',
    params: Type.Object({ bin: Type.String({ pattern: '^[0-9]{12}$' }) }),
    answer: Type.Object({ name: Type.String() }),
    refuses: ['organizationUnknown'],
  })
  static readonly inject = { names: NameStore }

  constructor(private readonly use: Injected<typeof GetOrganizationName.inject>) {}

  async execute(
    _caller: Caller,
    { bin }: Input<typeof GetOrganizationName.operation>,
  ): Promise<Answer<typeof GetOrganizationName.operation>> {
    const name = await this.use.names.find(bin)
    if (name === undefined) throw directoryErrors.error('organizationUnknown')
    return { name }
  }
}
