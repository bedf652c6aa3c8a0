import { createHash } from 'node:crypto'
import type { Card, CardRecipe } from '@signed-registry/core'
import Type from 'typebox'
import { Value } from 'typebox/value'

/**
 * The version of the drawing: texts, layout, fonts, order of objects. Cards of another version are not compared. A test fails
 * whenever cards change and says that this number must be raised.
 */
export const DRAWING = 4

const WrittenRecipe = Type.Object({
  drawing: Type.Integer(),
  settings: Type.String(),
  languages: Type.Array(Type.Enum(['ru', 'kk', 'en']), { minItems: 1, maxItems: 3, uniqueItems: true }),
  builtAt: Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 }),
  hashes: Type.Array(Type.String(), { maxItems: 16, uniqueItems: true }),
  showsOriginal: Type.Boolean(),
  showsSignatures: Type.Boolean(),
  showsCodes: Type.Boolean(),
  showsId: Type.Boolean(),
  linksId: Type.Boolean(),
  saysVerified: Type.Boolean(),
})

/** The recipe of a card, to be embedded in it: what was asked for, and a hash of the settings of the registry. */
export function recipeText(card: Card, utcOffset: number): string {
  const { languages, builtAt, showsOriginal, showsSignatures, showsCodes, showsId, linksId, saysVerified } = card
  return JSON.stringify({
    drawing: DRAWING,
    settings: settingsOf(card, utcOffset),
    languages,
    builtAt,
    hashes: [...card.digests.keys()],
    ...{ showsOriginal, showsSignatures, showsCodes, showsId, linksId, saysVerified },
  })
}

/** A hash of names, links and texts that may change without anybody having changed the card. */
function settingsOf({ title, description, link, maker }: Card, utcOffset: number): string {
  const { service, logo, logoCaption, howToVerify, letterhead } = maker
  const words = (given: Card['maker']['logoCaption']) => [given?.ru, given?.kk, given?.en]
  const all = [
    ...[title, description, link, service, utcOffset],
    ...[logo && Buffer.from(logo).toString('base64'), words(logoCaption), words(howToVerify)],
    ...[words(letterhead?.name), letterhead?.color],
  ]
  return createHash('sha256').update(JSON.stringify(all)).digest('base64url')
}

/** Parses a recipe; `undefined` where it is not one of ours. */
export function readRecipe(text: string): CardRecipe | undefined {
  const read = parsed(text)
  return Value.Check(WrittenRecipe, read) ? read : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
