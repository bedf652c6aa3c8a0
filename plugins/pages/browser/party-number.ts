/**
 * The IIN or BIN in a written number. Without a prefix its fifth digit says which: in a BIN it is the kind, from 4 on, in an IIN
 * it belongs to the day of birth, up to 3.
 */
export function partyIn(written: string): string | undefined {
  const found = /^(IIN|ИИН|ЖСН|BIN|БИН|БСН)?[\s:]*(\d[\d\s]*)$/i.exec(written)
  const number = found?.[2]?.replace(/\s/g, '') ?? ''
  if (number.length !== 12) return undefined
  const kind = found?.[1]?.toUpperCase()
  if (kind !== undefined) return `${/^(IIN|ИИН|ЖСН)$/.test(kind) ? 'IIN' : 'BIN'}${number}`
  return `${Number(number.charAt(4)) >= 4 ? 'BIN' : 'IIN'}${number}`
}
