import { type Html, html } from '../html.js'
import type { Visit } from '../visit.js'
import { tick } from './controls.js'

/** Who may see what is registered, and how long its original is kept; for `browser/registration-settings.ts`. */
export const keeping = ({ texts: { new: text } }: Visit): Html =>
  html`${tick('private', text.private)}${tick('keep', text.keep, true)}${tick('archive', text.archive)}`
