import type { EvidenceQuestion } from '../evidence/question.js'
import { fileTexts as en, type FileTexts } from '../texts/file-en.js'
import { fileTexts as kk } from '../texts/file-kk.js'
import { fileTexts as ru } from '../texts/file-ru.js'

/** What is said of signed files, in each language: the worker has all of them, so that pages need not load them. */
export const wordsIn: Readonly<Record<EvidenceQuestion['language'], FileTexts>> = { kk, ru, en }
