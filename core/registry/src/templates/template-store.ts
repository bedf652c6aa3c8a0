import type { Knex } from 'knex'
import { Database } from '../database/database.js'
import { insertOrLose } from '../database/insert-or-lose.js'
import { integer, json, table, text } from '../database/table.js'
import { newId } from '../kernel/ids.js'
import type { Injected } from '../kernel/service.js'
import { templateErrors } from './errors.js'
import { TemplateLimits } from './limits.js'
import type { SaveTemplateRequest, Template } from './schema.js'

const templates = table('registry_templates', {
  templateId: text('id'),
  owner: text('owner'),
  name: text('name'),
  content: json<Omit<SaveTemplateRequest, 'name'>>('content'),
  modifiedAt: integer('modified_at'),
})

/** Keeps the templates of people and organizations. */
export class TemplateStore {
  static readonly inject = { database: Database, limits: TemplateLimits }

  constructor(private readonly use: Injected<typeof TemplateStore.inject>) {}

  /** Those of an owner, by name. */
  async of(owner: string): Promise<Template[]> {
    const rows: Record<string, unknown>[] = await this.table()
      .where({ owner })
      .orderBy('name')
      .select(templates.columns)
    return rows.map((row) => {
      const { templateId, name, content, modifiedAt } = templates.read(row)
      return { templateId, name, modifiedAt, ...content }
    })
  }

  /** Adds a template, or replaces the one of its name, and answers its identifier; in the caller's transaction. */
  async save(owner: string, { name, ...content }: SaveTemplateRequest, modifiedAt: number): Promise<string> {
    // All of the owner's, so that two that are added at once are counted one after the other.
    const rows: { id: string; name: string }[] = await this.table().where({ owner }).forUpdate().select('id', 'name')
    const known = rows.find((row) => row.name === name)
    if (known !== undefined) {
      await this.table().where({ id: known.id }).update(templates.row({ content, modifiedAt }))
      return known.id
    }
    const { templatesPerOwner: limit } = this.use.limits
    if (rows.length >= limit) throw templateErrors.error('tooManyTemplates', { limit })
    const templateId = newId()
    const row = templates.row({ templateId, owner, name, content, modifiedAt })
    // Where there is nothing to lock yet, another host may have added the name meanwhile.
    if (!(await insertOrLose(this.table().insert(row)))) return this.save(owner, { name, ...content }, modifiedAt)
    return templateId
  }

  /** Refuses one that the owner does not have. */
  async remove(owner: string, templateId: string): Promise<void> {
    const removed = await this.table().where({ owner, id: templateId }).delete()
    if (removed === 0) throw templateErrors.error('templateNotFound')
  }

  private table(): Knex.QueryBuilder {
    return this.use.database.query(templates.name)
  }
}
