import { type Deviation, deviations, type Reason } from '#core/deviations/index.js'

const REASONS: Readonly<Record<string, string>> = {
  attack: 'Attack',
  privacy: 'Privacy',
  law: 'Law',
  specification: 'The specification itself',
  production: 'The production service',
}

function whyOf(because: Reason): string {
  const [kind = '', text = ''] = Object.entries(because)[0] ?? []
  return `${REASONS[kind]}: ${text}`
}

function entryOf([name, { lines, words, ours, because, switch: turned }]: [string, Deviation]): string {
  const places = `line${lines.length > 1 ? 's' : ''} ${lines.join(', ')}`
  return [
    `### ${name}\n`,
    `- **Words** (${places}): ${words}`,
    `- **Ours**: ${ours}`,
    `- **Why**: ${whyOf(because)}`,
    `- **Switch**: ${turned ?? 'none'}`,
  ].join('\n')
}

/** The entries of docs/deviations.md by section. */
export const deviationEntries = (): string =>
  Object.entries(deviations)
    .map(([part, rows]) =>
      [`## ${part[0]?.toUpperCase()}${part.slice(1)}`, ...Object.entries(rows).map(entryOf)].join('\n\n'),
    )
    .join('\n\n')
