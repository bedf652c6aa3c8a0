import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { ofOwner } from './of-owner.js'
import { Template } from './schema.js'
import { TemplateStore } from './template-store.js'

/** Answer of `GET /api/templates`. */
export const Templates = Type.Object({ templates: Type.Array(Template) }, { $id: 'Templates' })
export type Templates = Static<typeof Templates>

/** Lists the templates of a person, or of the organization that somebody sends for (ours). */
export class ListTemplates {
  static readonly operation = operation({
    id: 'listTemplates',
    group: 'templates',
    at: 'GET /templates',
    who: ofOwner,
    summary: 'List your templates by name, or those of your organization',
    description:
      'A template is a registration that is not made yet: titles, settings, order of signers, receiver. Ours.',
    answer: Templates,
  })
  static readonly inject = { templates: TemplateStore }

  constructor(private readonly use: Injected<typeof ListTemplates.inject>) {}

  async execute(_caller: Caller, { owner }: Admitted<typeof ListTemplates.operation>): Promise<Templates> {
    return { templates: await this.use.templates.of(owner) }
  }
}
