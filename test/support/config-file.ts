import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A plugin with an operation, a table and a service of core, as somebody who has no packages of ours beside the file writes it. */
const GREETINGS = `
import { anyone, ArchiveStore, Database, defineErrors, definePlugin, operation, provideValue } from '@signed-registry/core'
import { defineConfig } from '@signed-registry/host'
import { Type } from 'typebox'

class Greet {
  static operation = operation({
    id: 'greet',
    group: 'utility',
    at: 'POST /greetings/:name',
    who: anyone(),
    summary: 'Greet somebody',
    params: Type.Object({ name: Type.String() }),
    answer: Type.Object({ greeted: Type.Integer() }),
  })
  static inject = { database: Database }

  constructor(use) {
    this.use = use
  }

  async execute(_caller, { name }) {
    const table = () => this.use.database.query('greetings_names')
    await table().insert({ name })
    return { greeted: (await table().select('name')).length }
  }
}

const up = (knex) => knex.schema.createTable('greetings_names', (table) => void table.string('name', 100))
const forgotten = { key: '0'.repeat(32), size: 1 }
const nothing = {
  put: async () => {},
  get: async () => undefined,
  delete: async () => {},
  async *list() {
    yield forgotten
  },
}

const errors = defineErrors({
  greetingRefused: { kind: 'conflict', message: 'No', ru: 'Нет', kk: 'Жоқ', description: 'The greeting is refused.' },
})

const greetings = definePlugin({
  name: 'greetings',
  options: Type.Object({}, { additionalProperties: false }),
  parts: () => ({
    migrations: { 'greetings-0001-names': { up } },
    operations: [Greet],
    errors: [errors],
    provides: [provideValue(ArchiveStore, nothing)],
  }),
})
`

/** Writes `registry.config.js` with that plugin, `greetings({})`, and more that \`defineConfig\` takes; answers its path. */
export function writeConfig(folder: string, more = ''): string {
  const path = join(folder, 'registry.config.js')
  writeFileSync(path, `${GREETINGS}\nexport default defineConfig({ plugins: [greetings({})], ${more} })\n`)
  return path
}
