import Type, { type Static } from 'typebox'
import { Database } from '../database/database.js'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { checkCount, checkLength, fieldTooLarge } from '../kernel/field-length.js'
import { knownFields } from '../kernel/known-fields.js'
import { Limits } from '../kernel/limits.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { TemplateLimits } from './limits.js'
import { ofOwner } from './of-owner.js'
import { SaveTemplateRequest } from './schema.js'
import { TemplateStore } from './template-store.js'

/** Answer of `POST /api/templates`. */
export const SavedTemplate = Type.Object({ templateId: Type.String() }, { $id: 'SavedTemplate' })
export type SavedTemplate = Static<typeof SavedTemplate>

/** Keeps a template, or replaces the one of its name (ours). */
export class SaveTemplate {
  static readonly operation = operation({
    id: 'saveTemplate',
    group: 'templates',
    at: 'POST /templates',
    who: ofOwner,
    summary: 'Keep a template, or replace the one of its name',
    description: 'What it has is checked when something is registered by it. Ours.',
    request: SaveTemplateRequest,
    answer: SavedTemplate,
    refuses: ['requestFieldNotText', 'requestFieldTooLarge', 'tooManyTemplates'],
  })
  static readonly inject = {
    templates: TemplateStore,
    database: Database,
    clock: Clock,
    limits: TemplateLimits,
    textLimits: Limits,
  }

  constructor(private readonly use: Injected<typeof SaveTemplate.inject>) {}

  async execute(_caller: Caller, { owner, request }: Admitted<typeof SaveTemplate.operation>): Promise<SavedTemplate> {
    const content = knownFields(SaveTemplateRequest, request)
    this.check(content)
    const modifiedAt = this.use.clock.now()
    const name = content.name.trim()
    return this.use.database.transaction(async () => ({
      templateId: await this.use.templates.save(owner, { ...content, name }, modifiedAt),
    }))
  }

  private check(content: SaveTemplateRequest): void {
    const { limits, textLimits } = this.use
    const { name, documents = [], emails = [] } = content
    checkLength('name', name, limits.templateName)
    checkCount('documents', documents, limits.templateDocuments)
    checkCount('emails', emails, textLimits.emails)
    // JSON escapes what databases cannot store.
    if (Buffer.byteLength(JSON.stringify(content)) > limits.templateBytes)
      throw fieldTooLarge('template', limits.templateBytes)
  }
}
