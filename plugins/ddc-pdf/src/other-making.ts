/**
 * Why two cards cannot be compared by how they say that they were made: another way of drawing them, or other settings. The
 * host has read the recipe of the one, and has written that of the other.
 */
export function otherMaking(text: string, again: string): 'otherDrawing' | 'otherSettings' | undefined {
  const [one, other] = [making(text), making(again)]
  if (one === undefined || other === undefined || one.drawing !== other.drawing) return 'otherDrawing'
  return one.settings === other.settings ? undefined : 'otherSettings'
}

function making(text: string): { drawing: unknown; settings: unknown } | undefined {
  try {
    const read: unknown = JSON.parse(text)
    const isRecipe = typeof read === 'object' && read !== null && 'drawing' in read && 'settings' in read
    return isRecipe ? { drawing: read.drawing, settings: read.settings } : undefined
  } catch {
    return undefined
  }
}
