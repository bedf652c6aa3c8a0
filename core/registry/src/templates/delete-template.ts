import Type, { type Static } from 'typebox'
import { Database } from '../database/database.js'
import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { ofOwner } from './of-owner.js'
import { TemplateStore } from './template-store.js'

/** Answer of `DELETE /api/templates/{templateId}`. */
export const DeletedTemplate = Type.Object({ templateId: Type.String() }, { $id: 'DeletedTemplate' })
export type DeletedTemplate = Static<typeof DeletedTemplate>

/** Deletes a template (ours). */
export class DeleteTemplate {
  static readonly operation = operation({
    id: 'deleteTemplate',
    group: 'templates',
    at: 'DELETE /templates/:templateId',
    who: ofOwner,
    summary: 'Delete a template',
    description: 'What was registered by it stays. Ours.',
    params: Type.Object({ templateId: Type.String({ description: 'identifier of the template' }) }),
    answer: DeletedTemplate,
    refuses: ['templateNotFound'],
  })
  static readonly inject = { templates: TemplateStore, database: Database }

  constructor(private readonly use: Injected<typeof DeleteTemplate.inject>) {}

  async execute(
    _caller: Caller,
    { owner, templateId }: Admitted<typeof DeleteTemplate.operation>,
  ): Promise<DeletedTemplate> {
    await this.use.database.transaction(() => this.use.templates.remove(owner, templateId))
    return { templateId }
  }
}
