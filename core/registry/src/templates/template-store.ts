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
  /** From 0 and below the limit: of several hosts that add one at the same time, each takes another or none. */
  place: integer('place'),
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
    const rows: Record<string, unknown>[] = await this.table()
      .where({ owner })
      .select(templates.only('templateId', 'name', 'place'))
    const kept = rows.map((row) => templates.read(row))
    const known = kept.find((one) => one.name === name)
    if (known !== undefined) {
      const { templateId } = known
      const replaced = await this.table().where({ id: templateId }).update(templates.row({ content, modifiedAt }))
      if (replaced > 0) return templateId
    } else {
      const { templatesPerOwner: limit } = this.use.limits
      if (kept.length >= limit) throw templateErrors.error('tooManyTemplates', { limit })
      const taken = new Set(kept.map(({ place }) => place))
      let place = 0
      while (taken.has(place)) place += 1
      const templateId = newId()
      const row = templates.row({ templateId, owner, place, name, content, modifiedAt })
      if (await insertOrLose(this.table().insert(row))) return templateId
    }
    // Meanwhile another host has added one, or deleted this one.
    return this.save(owner, { name, ...content }, modifiedAt)
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
