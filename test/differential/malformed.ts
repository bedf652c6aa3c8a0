import type { Explained } from './compare.js'

/** What we say where a part is wrong that others do not look at: we read the whole structure before we judge it. */
const FORM = [
  'notDer',
  'overLimit',
  'notSignedData',
  'malformed',
  'parameters',
  'digestAlgorithm',
  'AlgorithmNotSupported',
  'algorithmProtection',
  'certificate(?:Missing|Ambiguous)',
  'signedAttribute(?:Doubled|Values)',
  'contentLooksLikeSignedAttributes',
  'unknownCriticalExtension',
  '(?:TimeStamp|OcspData) unknown',
  'tooLarge',
]

export const MALFORMED: Explained = {
  rule: 'malformed where others do not look',
  weAccept: false,
  reason: new RegExp(FORM.join('|')),
}
