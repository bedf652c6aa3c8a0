import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fieldTable, plain, table, typeText } from './schemas.mjs'

const SCHEMAS = 'operations/schemas.md'

/** The pages of operations from docs/openapi.json, by path: one for all, for each group, for each operation, and of schemas. */
export function operationPages(root) {
  const api = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'))
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ ...one, address: `${method.toUpperCase()} ${path}` })),
  )
  const groups = grouped(operations)
  const pages = [...groups].flatMap(([group, members]) => [
    [`operations/${group}.md`, groupPage(group, members)],
    ...members.map((one) => [pathOf(one), { title: one.operationId, text: operationPage(one, api) }]),
  ])
  return [[`operations/README.md`, frontPage(groups)], ...pages, [SCHEMAS, { text: schemaPage(api) }]]
}

function grouped(operations) {
  const groups = new Map()
  for (const one of operations) groups.set(one.tags[0], [...(groups.get(one.tags[0]) ?? []), one])
  return groups
}

const pathOf = ({ tags: [group], operationId }) => `operations/${group}/${operationId}.md`
const capital = (word) => word[0].toUpperCase() + word.slice(1)

function frontPage(groups) {
  const lists = [...groups].map(([group, members]) => {
    return `## ${capital(group)}\n\n${listOf(group, members)}`
  })
  return {
    title: 'Operations',
    children: [...[...groups.keys()].map((group) => `operations/${group}.md`), SCHEMAS],
    text: `# Operations

What the API of a host answers, made from [docs/openapi.json](../docs/openapi.json). Who calls is said in
[authentication](../docs/authentication.md), who may do what in [access](../docs/access.md). A refusal is a
[Problem](schemas.md#problem); its \`code\` is stable, and \`GET /api/strings\` has its text in every language. A plugin may bring more operations:
\`/docs\` of the running host has them all.

${lists.join('\n')}`,
  }
}

function groupPage(group, members) {
  return {
    title: capital(group),
    children: members.map(pathOf),
    text: `# ${capital(group)}\n\n${listOf(group, members)}`,
  }
}

function listOf(group, members) {
  return table(
    ['Operation', 'Address', 'What it does'],
    members.map((one) => [`[${one.operationId}](${group}/${one.operationId}.md)`, `\`${one.address}\``, one.summary]),
  )
}

/** The description begins with who may call. */
function operationPage(
  { operationId, address, summary, description = '', parameters = [], requestBody, responses },
  api,
) {
  const [, who = '', more = ''] = /^(.*?\.)(?: ([\s\S]*))?$/.exec(description) ?? []
  const rows = parameters.map(({ name, in: place, required, schema, description: about = '' }) => [
    `\`${name}\``,
    place,
    typeText(schema, '../schemas.md'),
    [about, required ? '' : 'optional'].filter(Boolean).join('; '),
  ])
  const refusals = Object.entries(responses).filter(([status]) => /^[45]\d\d$/.test(status))
  const answers = Object.entries(responses).filter(([status]) => /^[123]/.test(status))
  return [
    `# ${operationId}`,
    `\`${address}\``,
    `${plain(summary)}. ${plain(more)}`.trim(),
    `**Who may:** ${plain(who)}`,
    ...(rows.length > 0 ? ['## Parameters', table(['Name', 'In', 'Type', 'What it is'], rows)] : []),
    ...(requestBody === undefined ? [] : ['## Request', ...bodies(requestBody.content, api)]),
    '## Answer',
    ...answers.flatMap(([status, { content = {}, description: about }]) => [
      `\`${status}\` ${plain(about)}`,
      ...bodies(content, api),
    ]),
    ...(refusals.length > 0
      ? [
          '## Errors',
          table(
            ['Status', 'Codes'],
            refusals.map(([status, { description: about }]) => [status, about]),
          ),
        ]
      : []),
  ].join('\n\n')
}

/** What is sent in each content type: its fields and an example. */
function bodies(content, api) {
  return Object.entries(content).flatMap(([type, { schema, example }]) => [
    `\`${type}\`: ${schema === undefined ? 'anything' : typeText(schema, '../schemas.md')}`,
    ...[fieldTable(resolved(schema ?? {}, api), '../schemas.md')].filter(Boolean),
    ...(example === undefined ? [] : [`For example:`, sample(type, example)]),
  ])
}

function sample(type, example) {
  if (typeof example === 'string') return `\`\`\`text\n${example.trimEnd()}\n\`\`\``
  return `\`\`\`${type.endsWith('json') ? 'json' : 'text'}\n${JSON.stringify(example, null, 2)}\n\`\`\``
}

function resolved(schema, api) {
  return schema.$ref === undefined
    ? schema
    : api.components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)]
}

function schemaPage(api) {
  const names = Object.entries(api.components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))
  const shown = names.map(([name, schema]) => {
    const fields = fieldTable(schema, 'schemas.md') || typeText(schema, 'schemas.md')
    return [`## ${name}`, schema.description === undefined ? '' : plain(schema.description), fields]
      .filter(Boolean)
      .join('\n\n')
  })
  return `# Schemas\n\nShapes that requests and answers share.\n\n${shown.join('\n\n')}`
}
